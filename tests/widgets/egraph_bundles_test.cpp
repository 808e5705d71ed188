// The overview of an e-graph with more e-classes than blocks: bundles, counted again by hand.
#include "snapshot_fixture.h"
#include "tests/support/text_recorder.h"
#include "tests/support/waits.h"
#include "workload_snapshot.h"

#include "widgets/egraph/egraph_view.h"
#include "widgets/text/number_text.h"

#include <QApplication>
#include <QPainter>
#include <QSignalSpy>
#include <QTest>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace marquetry::widgets {
namespace {

using egraph::EClassId;
using egraph::ENodeId;
using ::testing::HasSubstr;

/// (operator, rule) of the oldest e-node of each class, and how many classes have it.
std::map<std::pair<std::string, std::string>, std::int64_t>
countedByHand(const session::Snapshot& snapshot) {
    std::map<std::pair<std::string, std::string>, std::int64_t> counts;
    const egraph::FrozenEGraph& view = *snapshot.egraph;
    for (const EClassId id : view.eclasses()) {
        const std::vector<ENodeId> nodes = view.enodes(id);
        const ENodeId oldest = *std::ranges::min_element(nodes);
        const egraph::RuleId rule = view.origin(oldest).rule;
        const std::string name = rule == egraph::kGiven        ? "as written"
                                 : rule == egraph::kCongruence ? "congruence"
                                                               : snapshot.ruleNames[rule.index()];
        const std::string& op = view.opName(oldest);
        ++counts[{op.substr(0, op.find('[')), name}];
    }
    return counts;
}

class Bundles : public ::testing::Test {
protected:
    static void SetUpTestSuite() { snapshot = test::mathMicro(10); }
    static void TearDownTestSuite() { snapshot.reset(); }
    void SetUp() override {
        view.resize(1400, 900);
        view.show();
        ASSERT_TRUE(test::waitForExposed(&view));
        QSignalSpy laidOut(&view, &EGraphView::layoutChanged);
        view.setSnapshot(snapshot);
        ASSERT_TRUE(test::waitForNext(laidOut));
    }
    const Scene& scene() const { return view.canvas()->scene(); }

    static inline std::shared_ptr<session::Snapshot> snapshot;
    SelectionModel selection;
    EGraphView view{&selection};
};

TEST_F(Bundles, CountEveryClassOfALargeEGraph) {
    std::multiset<std::string> expected;
    std::map<std::string, std::int64_t> ofGroup;
    for (const auto& [names, count] : countedByHand(*snapshot)) {
        expected.insert(names.second + " · " + grouped(count).toStdString());
        ofGroup[names.first] += count;
    }
    std::multiset<std::string> shown;
    for (const SceneBox& box : scene().boxes)
        shown.insert(box.text.toStdString());
    EXPECT_EQ(shown, expected);
    std::set<std::string> titles;
    for (const SceneBox& frame : scene().frames)
        titles.insert(frame.title.toStdString());
    std::set<std::string> expectedTitles;
    for (const auto& [name, count] : ofGroup)
        expectedTitles.insert(name + " · " + grouped(count).toStdString());
    EXPECT_EQ(titles, expectedTitles);
    EXPECT_LT(scene().boxes.size(), 2000U);
    EXPECT_THAT(view.countText().toStdString(),
                HasSubstr("as " + grouped(58'464).toStdString() + " e-classes in " +
                          std::to_string(scene().boxes.size()) + " blocks"));
}

TEST_F(Bundles, CanBeReadAsSoonAsTheyAreSeen) {
    test::TextRecorder recorder(view.canvas()->size());
    QPainter painter(&recorder);
    view.canvas()->picture(false).paint(painter);
    painter.end();
    std::set<std::string> read;
    for (const test::PaintedText& text : recorder.texts()) {
        EXPECT_GE(text.pixels, 9) << text.text.toStdString();
        read.insert(text.text.section(QStringLiteral(" · "), 0, 0).toStdString());
    }
    for (const SceneBox& frame : scene().frames)
        EXPECT_TRUE(read.contains(frame.title.section(QStringLiteral(" · "), 0, 0).toStdString()))
            << frame.title.toStdString();
    for (std::size_t a = 0; a < scene().boxes.size(); ++a)
        for (std::size_t b = 0; b < a; ++b)
            EXPECT_FALSE(scene().boxes[a].rect.intersects(scene().boxes[b].rect)) << a << " " << b;
}

TEST_F(Bundles, LeadToWhatTheyStandFor) {
    const EClassId some = snapshot->egraph->eclasses()[30'000];
    const std::uint32_t key = view.keyInPicture(some);
    ASSERT_NE(scene().boxOf(key), nullptr);
    const auto nodes = snapshot->egraph->enodes(some);
    const egraph::RuleId rule = snapshot->egraph->origin(*std::ranges::min_element(nodes)).rule;
    EXPECT_THAT(scene().boxOf(key)->text.toStdString(),
                HasSubstr(snapshot->ruleNames[rule.index()]));
    EXPECT_THAT(view.tipOf(key).toStdString(), HasSubstr("e-classes with"));
    EXPECT_TRUE(view.search(QStringLiteral("c%1").arg(some.value())));
    EXPECT_EQ(view.canvas()->highlights().selected, key) << "a search finds the bundle";
    selection.clear();
    const QPointF middle = view.canvas()->viewport().toScreen(scene().boxOf(key)->rect.center());
    QTest::mouseDClick(view.canvas(), Qt::LeftButton, {}, middle.toPoint());
    EXPECT_EQ(view.mode(), EGraphView::Mode::Focus);
    EXPECT_FALSE(isEmpty(selection.subject()));
}

TEST_F(Bundles, KeepTheirPlaces) {
    const SnapshotIndex index(snapshot);
    OverviewPlaces places;
    const auto first = bundledOverview(index, ShownPart(index, {}), places);
    const auto again = bundledOverview(index, ShownPart(index, {}), places);
    ASSERT_EQ(first.scene->boxes.size(), again.scene->boxes.size());
    for (std::size_t k = 0; k < first.scene->boxes.size(); ++k)
        EXPECT_EQ(first.scene->boxes[k].rect, again.scene->boxes[k].rect);
}

TEST(BundlesOfADesign, AreLayersAndRulesAndMarkTheChoice) {
    const auto parts = test::makeSnapshot();
    const SnapshotIndex index(parts.snapshot);
    const ShownPart part(index, {});
    const OverviewBundles made = overviewBundles(index, part);
    EXPECT_TRUE(made.layered);
    const std::vector<OverviewGroup> groups = overviewGroups(index);
    ASSERT_EQ(made.groups.size(), groups.size());
    std::size_t eclasses = 0;
    std::size_t enodes = 0;
    for (const OverviewBundle& bundle : made.bundles) {
        eclasses += bundle.eclasses;
        enodes += bundle.enodes;
    }
    EXPECT_EQ(eclasses, parts.snapshot->egraph->eclassCount());
    EXPECT_EQ(enodes, parts.snapshot->egraph->enodeCount());
    for (std::size_t g = 0; g < groups.size(); ++g)
        for (const EClassId id : groups[g].classes)
            EXPECT_EQ(made.bundles[made.of[id.index()]].group, g);
    EXPECT_TRUE(made.bundles[made.of[parts.sharedClass.index()]].chosen);
    EXPECT_TRUE(made.bundles[made.of[parts.sharedClass.index()]].shared);
    const std::vector<BundleEdge> edges = edgesOf(index, part, made);
    EXPECT_TRUE(std::ranges::any_of(edges, &BundleEdge::chosen));
}

} // namespace
} // namespace marquetry::widgets
