#include "snapshot_fixture.h"
#include "tests/support/waits.h"

#include "widgets/egraph/egraph_view.h"

#include <QAction>
#include <QComboBox>
#include <QSignalSpy>
#include <QSlider>
#include <QTest>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace marquetry::widgets {
namespace {

using egraph::EClassId;
using egraph::ENodeId;
using test::makeSnapshot;

std::vector<ENodeId> shown(const ShownPart& part) {
    std::vector<ENodeId> nodes;
    for (const EClassId eclass : part.eclasses())
        for (const ENodeId node : part.enodes(eclass))
            nodes.push_back(node);
    return nodes;
}

TEST(ShownPart, WithoutFiltersShowsEverything) {
    const auto parts = makeSnapshot();
    const SnapshotIndex index(parts.snapshot);
    const ShownPart part(index, {});
    EXPECT_EQ(part.eclasses().size(), index.egraph()->eclassCount());
    EXPECT_EQ(shown(part).size(), index.egraph()->enodeCount());
}

TEST(ShownPart, ReplaysTheGrowth) {
    const auto parts = makeSnapshot();
    const SnapshotIndex index(parts.snapshot);
    std::size_t before = 0;
    for (int last = 0; last <= 4; ++last) {
        EGraphFilter filter;
        filter.lastIteration = last;
        const ShownPart part(index, filter);
        for (const ENodeId node : shown(part)) {
            const egraph::Origin& origin = index.egraph()->origin(node);
            EXPECT_TRUE(origin.rule == egraph::kGiven || origin.iteration <= last);
        }
        EXPECT_GT(part.enodeCount(), last > 3 ? before - 1 : before);
        before = part.enodeCount();
    }
    EXPECT_EQ(before, index.egraph()->enodeCount());
}

TEST(ShownPart, FiltersByRuleSortAndLayer) {
    const auto parts = makeSnapshot();
    const SnapshotIndex index(parts.snapshot);
    const egraph::FrozenEGraph& view = *index.egraph();
    EGraphFilter filter;
    filter.rule = "R-TILE-MV";
    const ShownPart rule(index, filter);
    EXPECT_GT(rule.enodeCount(), 0U);
    for (const ENodeId node : shown(rule))
        EXPECT_EQ(view.origin(node).rule, index.ruleId("R-TILE-MV"));
    filter = {};
    filter.sort = "stored";
    const ShownPart sort(index, filter);
    EXPECT_GT(sort.enodeCount(), 0U);
    for (const EClassId eclass : sort.eclasses())
        EXPECT_EQ(view.language().sortName(view.sort(eclass)), "stored");
    filter = {};
    filter.layer = "conv";
    const ShownPart layer(index, filter);
    EXPECT_TRUE(layer.shows(parts.convClass));
    EXPECT_TRUE(layer.shows(view.eclassOf(*index.callNode("conv"))));
    EXPECT_FALSE(layer.shows(view.eclassOf(*index.callNode("fc"))));
}

class Filters : public ::testing::Test {
protected:
    void SetUp() override {
        parts.snapshot->iterations.edit().resize(3);
        view.resize(1100, 600);
        view.setSnapshot(parts.snapshot);
        view.setMode(EGraphView::Mode::Overview); // another program chooses the mode anew
        view.show();
        ASSERT_TRUE(test::waitForExposed(&view));
        ASSERT_TRUE(test::waitFor([&] { return !view.canvas()->scene().empty(); }));
    }
    bool showsClass(EClassId eclass) {
        return view.canvas()->scene().boxOf(keyOf(eclass)) != nullptr;
    }

    test::SnapshotParts parts = makeSnapshot();
    SelectionModel selection;
    EGraphView view{&selection};
};

TEST_F(Filters, TheSliderReplaysByKeys) {
    QSlider* slider = view.filterBar()->slider();
    EXPECT_EQ(slider->value(), 3) << "it follows the search";
    const auto all = view.canvas()->scene().boxes.size();
    slider->setFocus();
    QTest::keyClick(slider, Qt::Key_Home);
    EXPECT_EQ(slider->value(), 0);
    ASSERT_TRUE(test::waitFor([&] { return view.canvas()->scene().boxes.size() < all; }));
    EXPECT_TRUE(showsClass(parts.sharedClass));
    EXPECT_FALSE(view.countText().startsWith("showing " + QString::number(all)));
    parts.snapshot = std::make_shared<session::Snapshot>(*parts.snapshot);
    parts.snapshot->iterations.edit().resize(4);
    view.setSnapshot(parts.snapshot);
    EXPECT_EQ(slider->value(), 0) << "it stays where it was put";
    QTest::keyClick(slider, Qt::Key_End);
    ASSERT_TRUE(test::waitFor([&] { return view.canvas()->scene().boxes.size() == all; }));
}

TEST_F(Filters, TheSliderCountsIterationsThatChangeNothing) {
    QSlider* slider = view.filterBar()->slider();
    EXPECT_EQ(slider->maximum(), 3);
    parts.snapshot = std::make_shared<session::Snapshot>(*parts.snapshot);
    parts.snapshot->iterations.edit().resize(4);
    view.setSnapshot(parts.snapshot);
    EXPECT_EQ(slider->maximum(), 4) << "the e-graph is the same one";
    EXPECT_EQ(slider->value(), 4) << "it follows the search";
}

TEST_F(Filters, OneRuleOrLayerAlone) {
    QComboBox* layer = view.filterBar()->layer();
    const auto all = view.canvas()->scene().boxes.size();
    layer->setFocus();
    QTest::keyClicks(layer, "conv");
    EXPECT_EQ(view.filterBar()->filter().layer, "conv");
    ASSERT_TRUE(test::waitFor([&] { return view.canvas()->scene().boxes.size() < all; }));
    EXPECT_TRUE(showsClass(parts.convClass));
    view.filterBar()->clear();
    ASSERT_TRUE(test::waitFor([&] { return view.canvas()->scene().boxes.size() == all; }));
}

} // namespace
} // namespace marquetry::widgets
