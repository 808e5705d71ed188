// That the e-graph's pictures can be read: sizes of texts, camera, folding, places, search,
// history.
#include "snapshot_fixture.h"
#include "tests/support/text_recorder.h"
#include "tests/support/waits.h"

#include "widgets/egraph/egraph_view.h"
#include "widgets/egraph/search_panel.h"
#include "widgets/graph_layout/layout_worker.h"

#include <QApplication>
#include <QComboBox>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QSignalSpy>
#include <QTest>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace marquetry::widgets {
namespace {

using egraph::EClassId;
using egraph::ENodeId;
using test::makeSnapshot;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class EGraphReading : public ::testing::Test {
protected:
    void SetUp() override {
        view.layoutClient()->setProgram(QCoreApplication::applicationFilePath(),
                                        {QString::fromLatin1(kLayoutWorkerFlag)});
        view.layoutClient()->setTimeout(test::kPatienceMs);
        view.resize(1000, 700);
        view.show();
        ASSERT_TRUE(test::waitForExposed(&view));
    }
    void show(const std::shared_ptr<const session::Snapshot>& snapshot) {
        waitForLayout([&] { view.setSnapshot(snapshot); });
    }
    template <class Act>
    void waitForLayout(Act act) {
        QSignalSpy laidOut(&view, &EGraphView::layoutChanged);
        act();
        ASSERT_TRUE(!laidOut.isEmpty() || test::waitForNext(laidOut));
    }
    CanvasView& canvas() { return *view.canvas(); }
    QRectF onScreen(std::uint32_t key) {
        const SceneBox* box = canvas().scene().boxOf(key);
        if (box == nullptr)
            return {};
        const Viewport& port = canvas().viewport();
        return {port.toScreen(box->rect.topLeft()), box->rect.size() * port.scale};
    }
    std::vector<test::PaintedText> paintedTexts() {
        const Picture picture = canvas().picture(false);
        test::TextRecorder recorder(canvas().size());
        QPainter painter(&recorder);
        picture.paint(painter);
        painter.end();
        return recorder.texts();
    }
    /// Every text is large enough and within some box, or frame, of the scene.
    void expectReadable() {
        for (const test::PaintedText& text : paintedTexts()) {
            EXPECT_GE(text.pixels, 9) << text.text.toStdString();
            const auto holds = [&](const SceneBox& box) {
                const Viewport& port = canvas().viewport();
                const QRectF rect(port.toScreen(box.rect.topLeft()), box.rect.size() * port.scale);
                return rect.adjusted(-1, -4, 1, 4).contains(text.place);
            };
            EXPECT_TRUE(std::ranges::any_of(canvas().scene().boxes, holds) ||
                        std::ranges::any_of(canvas().scene().frames, holds))
                << text.text.toStdString() << " at scale " << canvas().viewport().scale;
        }
    }
    /// From the whole to the largest, around the middle.
    template <class Check>
    void atAllScales(Check check) {
        canvas().fit();
        for (int k = 0; k < 24; ++k) {
            check();
            QTest::keyClick(&canvas(), Qt::Key_Plus);
        }
        canvas().fit();
    }
    bool seesSomething() {
        const QRectF all(QPointF(0, 0), QSizeF(canvas().size()));
        return std::ranges::any_of(canvas().scene().boxes, [&](const SceneBox& box) {
            return onScreen(box.key).intersects(all);
        });
    }

    test::SnapshotParts parts = makeSnapshot();
    SelectionModel selection;
    EGraphView view{&selection};
};

TEST_F(EGraphReading, NoTextIsSmallAtAnyScale) {
    show(parts.snapshot);
    atAllScales([&] { expectReadable(); });
    waitForLayout([&] { view.setHops(9); });
    atAllScales([&] { expectReadable(); });
    waitForLayout([&] { view.setMode(EGraphView::Mode::Overview); });
    atAllScales([&] { expectReadable(); });
    show(test::bigSnapshot(2000));
    atAllScales([&] { expectReadable(); });
}

TEST_F(EGraphReading, WhatIsCutEndsInAnEllipsisAndHasTheWholeInItsTip) {
    show(parts.snapshot);
    waitForLayout([&] { view.setHops(9); });
    std::ptrdiff_t cut = 0;
    atAllScales([&] {
        cut += std::ranges::count_if(paintedTexts(), [](const test::PaintedText& text) {
            return text.text.endsWith(QChar(u'…'));
        });
    });
    for (const SceneBox& box : canvas().scene().boxes) {
        if (box.key == kNoKey || isStub(box.key))
            continue;
        const QString tip = view.tipOf(box.key);
        for (const QString& word : box.text.split(QStringLiteral(" ▸ ")))
            EXPECT_TRUE(tip.contains(word))
                << tip.toStdString() << " has no " << word.toStdString();
    }
    EXPECT_GT(cut, 0) << "the picture is too small for all letters";
}

TEST_F(EGraphReading, NoGestureLeadsToAnEmptyCanvas) {
    show(parts.snapshot);
    std::mt19937 random(7);
    const auto draw = [&](int below) {
        return static_cast<int>(random() % static_cast<unsigned>(below));
    };
    for (int step = 0; step < 400; ++step) {
        if (draw(2) == 0)
            canvas().panBy(QPointF(draw(4000) - 2000, draw(4000) - 2000));
        else
            canvas().zoomBy(std::exp((draw(200) - 100) / 40.0),
                            QPointF(draw(canvas().width()), draw(canvas().height())));
        if (draw(20) == 0)
            view.resize(300 + draw(900), 300 + draw(500));
        ASSERT_TRUE(seesSomething()) << step;
    }
}

TEST_F(EGraphReading, AnotherEGraphIsSeenWhole) {
    show(parts.snapshot);
    for (int k = 0; k < 12; ++k)
        QTest::keyClick(&canvas(), Qt::Key_Plus);
    canvas().panBy(QPointF(900, 500));
    ASSERT_FALSE(canvas().fitted());
    show(test::bigSnapshot(40));
    EXPECT_TRUE(canvas().fitted());
    EXPECT_TRUE(canvas().viewport().visible().contains(canvas().scene().bounds()));
}

TEST_F(EGraphReading, ChainsAreOneBlockUntilTheyAreUnfolded) {
    show(parts.snapshot);
    const std::uint32_t chain =
        keyOf(parts.snapshot->egraph->eclassOf(*selection.index()->callNode("conv")));
    ASSERT_NE(canvas().scene().boxOf(chain), nullptr);
    EXPECT_EQ(canvas().scene().boxOf(chain)->text.toStdString(), "call conv ▸ Conv");
    EXPECT_EQ(canvas().scene().boxOf(keyOf(parts.convClass)), nullptr);
    EXPECT_EQ(view.keyInPicture(parts.convClass), chain) << "what is folded is found in its chain";
    const QPointF place = onScreen(chain).center();
    const std::size_t before = canvas().scene().frames.size();
    waitForLayout([&] { QTest::mouseDClick(&canvas(), Qt::LeftButton, {}, place.toPoint()); });
    EXPECT_EQ(canvas().scene().frames.size(), before + 2);
    EXPECT_NE(canvas().scene().boxOf(keyOf(parts.convClass)), nullptr);
    waitForLayout([&] { view.expandOrFold(parts.convClass); }); // its three e-nodes
    waitForLayout([&] { view.expandOrFold(parts.convClass); }); // and one of them again
    EXPECT_EQ(canvas().scene().frames.size(), before + 2);
}

TEST_F(EGraphReading, SharedPinnedAndSelectedClassesAreNotFolded) {
    const SnapshotIndex index(parts.snapshot);
    const auto blockOf = [&](const FocusParams& params, EClassId id) {
        const Focus focus = chooseFocus(index, params);
        const std::vector<std::size_t>* block = focus.blockOf(id);
        return block == nullptr ? 0 : block->size();
    };
    EXPECT_EQ(blockOf({}, parts.convClass), 2U);
    EXPECT_EQ(blockOf({}, parts.sharedClass), 1U);
    FocusParams seeded;
    seeded.seeds = {parts.convClass};
    seeded.hops = 0;
    EXPECT_EQ(blockOf(seeded, parts.convClass), 1U);
    FocusParams unfolded;
    unfolded.unfolded = {parts.convClass};
    EXPECT_EQ(blockOf(unfolded, parts.convClass), 1U);
}

TEST_F(EGraphReading, EveryClassIsInOneBlock) {
    const SnapshotIndex index(parts.snapshot);
    for (int hops = 0; hops < 6; ++hops) {
        FocusParams params;
        params.hops = hops;
        const Focus focus = chooseFocus(index, params);
        std::vector<std::size_t> all;
        for (const auto& block : focus.blocks)
            all.insert(all.end(), block.begin(), block.end());
        std::ranges::sort(all);
        ASSERT_EQ(all.size(), focus.classes.size());
        for (std::size_t k = 0; k < all.size(); ++k)
            EXPECT_EQ(all[k], k);
    }
}

TEST_F(EGraphReading, ExpansionKeepsWhatWasClickedInPlace) {
    view.resize(500, 400);
    show(parts.snapshot);
    for (int k = 0; k < 5; ++k)
        QTest::keyClick(&canvas(), Qt::Key_Plus);
    canvas().reveal(keyOf(parts.sharedClass));
    const QPointF before = onScreen(keyOf(parts.sharedClass)).center();
    const double scale = canvas().viewport().scale;
    waitForLayout([&] { view.expandOrFold(parts.sharedClass); });
    EXPECT_NE(canvas().scene().boxOf(keyOf(parts.tiledMv)), nullptr);
    const QPointF after = onScreen(keyOf(parts.sharedClass)).center();
    EXPECT_NEAR(before.x(), after.x(), 1);
    EXPECT_NEAR(before.y(), after.y(), 1);
    EXPECT_EQ(canvas().viewport().scale, scale);
}

TEST_F(EGraphReading, BackAndForwardReturnToWhatWasShown) {
    show(parts.snapshot);
    EXPECT_FALSE(view.canGoBack());
    const std::string design = view.toText().toStdString();
    waitForLayout([&] { view.expandOrFold(parts.sharedClass); });
    const std::string expanded = view.toText().toStdString();
    EXPECT_NE(design, expanded);
    QTest::keyClick(&canvas(), Qt::Key_Plus);
    QTest::keyClick(&canvas(), Qt::Key_Plus);
    const Viewport closeUp = canvas().viewport();
    waitForLayout([&] { view.setMode(EGraphView::Mode::Overview); });
    waitForLayout([&] { QTest::keyClick(&canvas(), Qt::Key_Left, Qt::AltModifier); });
    EXPECT_EQ(view.mode(), EGraphView::Mode::Focus);
    EXPECT_EQ(view.toText().toStdString(), expanded);
    EXPECT_NEAR(canvas().viewport().scale, closeUp.scale, 1e-9);
    EXPECT_NEAR(canvas().viewport().centre.x(), closeUp.centre.x(), 1e-6);
    waitForLayout([&] { QTest::keyClick(&canvas(), Qt::Key_Left, Qt::AltModifier); });
    EXPECT_EQ(view.toText().toStdString(), design);
    EXPECT_FALSE(view.canGoBack());
    waitForLayout([&] { view.goForward(); });
    EXPECT_EQ(view.toText().toStdString(), expanded);
    waitForLayout([&] { view.goForward(); });
    EXPECT_EQ(view.mode(), EGraphView::Mode::Overview);
    EXPECT_FALSE(view.canGoForward());
}

TEST_F(EGraphReading, SearchListsAndCountsAllHits) {
    show(parts.snapshot);
    EXPECT_FALSE(view.searchPanel()->isVisibleTo(&view));
    auto* find = view.findChild<QLineEdit*>();
    find->setText("tiledmv");
    ASSERT_TRUE(test::waitFor([&] { return view.searchPanel()->isVisibleTo(&view); }));
    const egraph::FrozenEGraph& graph = *parts.snapshot->egraph;
    std::set<ENodeId> nodes;
    std::set<EClassId> classes;
    for (const EClassId id : graph.eclasses())
        for (const ENodeId node : graph.enodes(id))
            if (graph.opName(node).find("TiledMv") != std::string::npos) {
                nodes.insert(node);
                classes.insert(id);
            }
    const Hits& hits = view.searchPanel()->hits();
    EXPECT_EQ(hits.enodes, nodes.size());
    EXPECT_EQ(hits.eclasses, classes.size());
    EXPECT_EQ(view.searchPanel()->list()->count(), static_cast<int>(nodes.size()));
    EXPECT_EQ(view.searchPanel()->countLine().toStdString(), "7 e-nodes in 1 e-class");
    EXPECT_TRUE(isEmpty(selection.subject())) << "letters alone select nothing";
    find->clear();
    EXPECT_TRUE(test::waitFor([&] { return !view.searchPanel()->isVisibleTo(&view); }));
}

TEST_F(EGraphReading, AHitIsSelectedAndLargeEnoughToRead) {
    show(parts.snapshot);
    view.setMode(EGraphView::Mode::Overview);
    show(test::bigSnapshot(5000));
    ASSERT_LT(canvas().viewport().scale * canvas().scene().fontSize, 9);
    ASSERT_TRUE(view.search("c4711"));
    EXPECT_EQ(selection.subject(), Subject(EClassId{4711}));
    EXPECT_GE(canvas().viewport().scale * canvas().scene().fontSize, 11);
    EXPECT_TRUE(QRectF(canvas().rect()).contains(onScreen(keyOf(EClassId{4711}))));
}

TEST_F(EGraphReading, AHitThatIsNotShownIsBroughtIntoTheFocus) {
    show(parts.snapshot);
    ASSERT_EQ(canvas().scene().boxOf(keyOf(parts.tiledMv)), nullptr);
    waitForLayout([&] { EXPECT_TRUE(view.search("TiledMv[288")); });
    EXPECT_EQ(selection.subject(), Subject(parts.tiledMv));
    EXPECT_NE(canvas().scene().boxOf(keyOf(parts.tiledMv)), nullptr);
    EXPECT_TRUE(QRectF(canvas().rect()).contains(onScreen(keyOf(parts.tiledMv))));
    EXPECT_TRUE(view.canGoBack());
}

TEST_F(EGraphReading, SearchGoesByWhatFiltersShow) {
    const SnapshotIndex index(parts.snapshot);
    EGraphFilter early;
    early.lastIteration = 1;
    EXPECT_EQ(findIn(index, {}, "TiledMv").enodes, 7U);
    EXPECT_EQ(findIn(index, early, "TiledMv").enodes, 5U);
    EXPECT_EQ(countText(findIn(index, {}, "no such thing")).toStdString(), "nothing found");
    const Hits unit = findIn(index, {}, "mv 64×576");
    EXPECT_THAT(unit.keys, ElementsAre(keyOf(parts.sharedClass)));
}

TEST_F(EGraphReading, TheOverviewIsGroupedByLayersInTheirOrder) {
    const SnapshotIndex index(parts.snapshot);
    const std::vector<OverviewGroup> groups = overviewGroups(index);
    std::vector<std::string> names;
    std::set<EClassId> seen;
    for (const OverviewGroup& group : groups) {
        names.push_back(group.name + (group.written ? "" : " by rules"));
        for (const EClassId id : group.classes)
            EXPECT_TRUE(seen.insert(id).second) << "in two groups";
    }
    EXPECT_EQ(seen.size(), parts.snapshot->egraph->eclassCount());
    ASSERT_GE(names.size(), 3U);
    EXPECT_EQ(names[0], "conv");
    EXPECT_EQ(names[1], "fc");
    EXPECT_THAT(names, ::testing::Contains("Mv by rules"));
    show(parts.snapshot);
    waitForLayout([&] { view.setMode(EGraphView::Mode::Overview); });
    atAllScales([&] {
        const auto texts = paintedTexts();
        for (const SceneBox& frame : canvas().scene().frames) {
            const Viewport& port = canvas().viewport();
            const QRectF part =
                QRectF(port.toScreen(frame.rect.topLeft()), frame.rect.size() * port.scale) &
                QRectF(canvas().rect());
            const bool named = std::ranges::any_of(texts, [&](const test::PaintedText& text) {
                return frame.title.startsWith(QString(text.text).remove(QChar(u'…')));
            });
            EXPECT_TRUE(named || part.width() < 40 || part.height() < 24)
                << frame.title.toStdString() << " at scale " << port.scale;
        }
    });
}

/// The part of a snapshot's e-graph that had been made up to an iteration.
std::vector<OverviewGroup> groupsUpTo(const SnapshotIndex& index, int iteration) {
    EGraphFilter filter;
    filter.lastIteration = iteration;
    const ShownPart part(index, filter);
    std::vector<OverviewGroup> groups = overviewGroups(index);
    for (OverviewGroup& group : groups)
        std::erase_if(group.classes, [&](EClassId id) { return !part.shows(id); });
    std::erase_if(groups, [](const OverviewGroup& group) { return group.classes.empty(); });
    return groups;
}

TEST_F(EGraphReading, AClassOfTheProgramKeepsItsPlaceWhileTheEGraphGrows) {
    const SnapshotIndex index(parts.snapshot);
    OverviewPlaces places;
    std::map<EClassId, QRectF> before;
    for (int iteration = 0; iteration <= 3; ++iteration) {
        const auto groups = groupsUpTo(index, iteration);
        places.follow(groups);
        std::vector<QRectF> cells;
        for (const OverviewGroup& group : groups)
            for (const EClassId id : group.classes) {
                const QRectF cell = places.cell(id);
                for (const QRectF& other : cells)
                    EXPECT_FALSE(cell.intersects(other)) << "two classes in one place";
                cells.push_back(cell);
                if (group.written && before.contains(id)) {
                    EXPECT_EQ(cell, before[id]) << id.value() << " in " << iteration;
                }
                before[id] = cell;
            }
    }
}

TEST_F(EGraphReading, FiltersAndChoicesMoveNothingInTheOverview) {
    show(parts.snapshot);
    waitForLayout([&] { view.setMode(EGraphView::Mode::Overview); });
    std::map<std::uint32_t, std::pair<QRectF, Role>> all;
    for (const SceneBox& box : canvas().scene().boxes)
        all[box.key] = {box.rect, box.fill};
    waitForLayout([&] { view.filterBar()->rule()->setCurrentIndex(2); });
    EXPECT_LT(canvas().scene().boxes.size(), all.size());
    for (const SceneBox& box : canvas().scene().boxes)
        EXPECT_EQ(box.rect, all[box.key].first);
    waitForLayout([&] { view.filterBar()->clear(); });
    show(test::unshared(parts));
    for (const SceneBox& box : canvas().scene().boxes) {
        EXPECT_EQ(box.rect, all[box.key].first);
        if (box.fill != Role::Chosen && all[box.key].second != Role::Chosen) {
            EXPECT_EQ(box.fill, all[box.key].second);
        }
    }
}

} // namespace
} // namespace marquetry::widgets
