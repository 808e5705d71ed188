#include "snapshot_fixture.h"
#include "tests/support/waits.h"

#include "widgets/egraph/egraph_view.h"
#include "widgets/graph_layout/layout_worker.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <QSignalSpy>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QTest>
#include <QToolTip>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace marquetry::widgets {
namespace {

using design::UnitId;
using test::makeSnapshot;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(Focus, KeepsTheBudgetAndCountsWhatIsHidden) {
    const auto parts = makeSnapshot();
    const SnapshotIndex index(parts.snapshot);
    FocusParams params;
    params.seeds = {parts.sharedClass};
    params.hops = 9;
    params.budget = 12;
    const Focus focus = chooseFocus(index, params);
    EXPECT_LE(focus.enodes, 12U);
    EXPECT_TRUE(focus.budgetReached);
    EXPECT_GT(focus.hiddenChildren, 0U);
    EXPECT_EQ(focus.classes[0].id, parts.sharedClass);
}

TEST(Focus, ShowsChosenENodesOfLargeClassesFirst) {
    const auto parts = makeSnapshot();
    const SnapshotIndex index(parts.snapshot);
    FocusParams params;
    params.seeds = {parts.sharedClass};
    params.hops = 0;
    params.perClass = 2;
    Focus focus = chooseFocus(index, params);
    EXPECT_THAT(focus.classes[0].shown, Contains(parts.sharedMv));
    EXPECT_EQ(focus.classes[0].hidden, 6U);
    params.expanded = {parts.sharedClass};
    focus = chooseFocus(index, params);
    EXPECT_EQ(focus.classes[0].hidden, 0U);
}

TEST(Focus, AddsTheDesignToTheSelection) {
    const auto parts = makeSnapshot();
    const SnapshotIndex index(parts.snapshot);
    FocusParams params;
    params.hops = 0;
    params.seeds = {parts.snapshot->egraph->eclassOf(parts.tiledMv)};
    const Focus focus = chooseFocus(index, params);
    for (const egraph::EClassId id : index.chosenClasses())
        EXPECT_TRUE(
            std::ranges::any_of(focus.classes, [&](const FocusClass& c) { return c.id == id; }));
}

TEST(Overview, HasABlockPerClassAndMarksTheChoice) {
    const auto parts = makeSnapshot();
    const SnapshotIndex index(parts.snapshot);
    OverviewMemory memory;
    const Overview overview = overviewScene(index, memory);
    EXPECT_EQ(overview.scene->boxes.size(), parts.snapshot->egraph->eclassCount());
    const SceneBox* shared = overview.scene->boxOf(keyOf(parts.sharedClass));
    ASSERT_NE(shared, nullptr);
    EXPECT_EQ(shared->fill, Role::Chosen);
    EXPECT_EQ(shared->line, Role::Shared);
    EXPECT_EQ(shared->dash, Dash::Dashed);
    EXPECT_EQ(shared->text.toStdString(), "Mv 64×576 · 8");
}

TEST(Overview, OfAHundredThousandClassesIsMadeAndPainted) {
    const auto snapshot = test::bigSnapshot(100'000);
    const SnapshotIndex index(snapshot);
    OverviewMemory memory;
    const Overview overview = overviewScene(index, memory);
    QImage image(1280, 800, QImage::Format_RGB32);
    QPainter painter(&image);
    const PaintStats stats =
        paint(painter, *overview.scene, Viewport::fitting(overview.scene->bounds(), image.size()),
              lightTheme());
    EXPECT_EQ(stats.boxes, 100'000U);
    EXPECT_EQ(stats.edges, 3'000U);
    EXPECT_EQ(stats.edges + stats.edgesLeftOut, overview.scene->edges.size());
}

class EGraph : public ::testing::Test {
protected:
    void SetUp() override {
        QObject::connect(&view, &EGraphView::pinRequested,
                         [this](const design::Pin& pin) { pins.push_back(toString(pin)); });
        view.layoutClient()->setProgram(QCoreApplication::applicationFilePath(),
                                        {QString::fromLatin1(kLayoutWorkerFlag)});
        view.layoutClient()->setTimeout(test::kPatienceMs);
        view.resize(1000, 700);
        view.show();
        ASSERT_TRUE(test::waitForExposed(&view));
    }
    void show(const std::shared_ptr<const session::Snapshot>& snapshot) {
        QSignalSpy laidOut(&view, &EGraphView::layoutChanged);
        view.setSnapshot(snapshot);
        ASSERT_TRUE(test::waitForNext(laidOut));
    }
    void waitForLayout(const std::function<void()>& act) {
        QSignalSpy laidOut(&view, &EGraphView::layoutChanged);
        act();
        ASSERT_TRUE(!laidOut.isEmpty() || test::waitForNext(laidOut));
    }
    QPoint at(std::uint32_t key) const {
        return view.canvas()
            ->viewport()
            .toScreen(view.canvas()->scene().boxOf(key)->rect.center())
            .toPoint();
    }
    std::string text() const { return view.toText().toStdString(); }

    test::SnapshotParts parts = makeSnapshot();
    SelectionModel selection;
    EGraphView view{&selection};
    std::vector<std::string> pins;
};

TEST_F(EGraph, SaysThatThereIsNothingYet) {
    EXPECT_EQ(text(), "e-graph, overview\nshowing 0 of 0 e-nodes\n");
    EXPECT_FALSE(view.canvas()->scene().message.isEmpty());
}

TEST_F(EGraph, FocusIsATextOfClassesAndENodes) {
    show(parts.snapshot);
    EXPECT_EQ(view.mode(), EGraphView::Mode::Focus);
    EXPECT_EQ(text(), R"(e-graph, focus
showing 6 of 70 e-nodes · 6 of 32 e-classes
c0 unit
  *n2 ParallelDot[16, 64, 576, 0, 0]
   +3 more
c4 unit "Mv 64×576" shared
  *n4 Mv c0
   +7 more
c5 unit "Conv 8×8×64→64 k3"
  *n5 Conv[8, 8, 64, 3, 1] c4
   +2 more
c10 unit
  *n23 PaddedMv[576, 512] c4
   +1 more
c17 value
  *n17 call conv c5 c14 c12
c19 value
  *n19 call fc c10 c16 c18
)");
}

TEST_F(EGraph, OverviewWhileItGrows) {
    const auto growing = makeSnapshot(false);
    show(growing.snapshot);
    EXPECT_EQ(view.mode(), EGraphView::Mode::Overview);
    EXPECT_THAT(text(), HasSubstr("e-nodes as "));
    const std::size_t before = view.canvas()->scene().boxes.size();
    auto larger = std::make_shared<session::Snapshot>(*test::bigSnapshot(400));
    larger->program = growing.snapshot->program;
    show(larger);
    EXPECT_EQ(view.canvas()->scene().boxes.size(), 400U);
    EXPECT_NE(before, 400U);
    EXPECT_THAT(view.countText().toStdString(), HasSubstr("showing 400 of 400 e-nodes"));
}

TEST_F(EGraph, ALayoutUnderWayIsNotDrawnOnAnotherEGraph) {
    auto larger = std::make_shared<session::Snapshot>(*test::bigSnapshot(400));
    larger->program = parts.snapshot->program;
    view.setMode(EGraphView::Mode::Focus);
    view.setSnapshot(larger);
    view.focusOn(egraph::EClassId{390});
    ASSERT_TRUE(test::waitFor([&] { return view.layoutClient()->busy(); }));
    selection.setSnapshot(parts.snapshot); // another view may be the first to show it
    EXPECT_FALSE(view.layoutClient()->busy());
    EXPECT_TRUE(view.canvas()->scene().empty());
    show(parts.snapshot);
    EXPECT_THAT(text(), HasSubstr("showing 6 of 70 e-nodes"));
}

TEST_F(EGraph, NoLayoutPerSnapshot) {
    show(parts.snapshot);
    const int starts = view.layoutClient()->starts();
    QSignalSpy laidOut(&view, &EGraphView::layoutChanged);
    for (int k = 0; k < 50; ++k)
        view.setSnapshot(std::make_shared<session::Snapshot>(*parts.snapshot));
    ASSERT_TRUE(test::passTimersOf(EGraphView::kFocusIntervalMs));
    EXPECT_TRUE(laidOut.isEmpty());
    EXPECT_FALSE(view.layoutClient()->busy());
    EXPECT_EQ(view.layoutClient()->starts(), starts);
}

TEST_F(EGraph, ClickSelectsAndLightsWhatBelongs) {
    show(parts.snapshot);
    QTest::mouseClick(view.canvas(), Qt::LeftButton, {}, at(keyOf(parts.sharedMv)));
    EXPECT_EQ(selection.subject(), Subject(parts.sharedMv));
    EXPECT_EQ(view.canvas()->highlights().selected, keyOf(parts.sharedMv));
    selection.select(UnitId{0});
    EXPECT_THAT(view.canvas()->highlights().linked, Contains(keyOf(parts.sharedClass)));
}

TEST_F(EGraph, SpacePins) {
    show(parts.snapshot);
    selection.select(parts.sharedClass);
    QTest::keyClick(view.canvas(), Qt::Key_Space);
    selection.select(parts.tiledMv);
    QTest::keyClick(view.canvas(), Qt::Key_Space);
    EXPECT_THAT(pins, ElementsAre("share Mv 64×576", "force TiledMv[288, 576] in conv"));
    QSignalSpy messages(&view, &EGraphView::message);
    selection.select(*selection.index()->callNode("fc"));
    QTest::keyClick(view.canvas(), Qt::Key_Space);
    EXPECT_EQ(messages.size(), 1);
    EXPECT_EQ(pins.size(), 2U);
}

TEST_F(EGraph, MenuOffersPinsFocusAndId) {
    show(parts.snapshot);
    QMenu* menu = view.createMenu(parts.tiledMv);
    QStringList texts;
    for (QAction* action : menu->actions())
        texts << action->text();
    EXPECT_EQ(texts.join('/').toStdString(),
              "Force TiledMv[288, 576] in conv/Force TiledMv[288, 576] in fc/"
              "Forbid TiledMv[288, 576]/Share unit Mv 64×576/Never share Mv 64×576//"
              "Focus on this/Show 7 more e-nodes/Show the card of R-TILE-MV/Copy id//Fit/Export");
    menu->actions()[2]->trigger();
    EXPECT_THAT(pins, ElementsAre("forbid TiledMv[288, 576]"));
    menu->actions()[9]->trigger();
    EXPECT_EQ(QGuiApplication::clipboard()->text(), toLink(parts.tiledMv));
}

TEST_F(EGraph, SearchFindsIdsAndOperators) {
    show(parts.snapshot);
    auto* find = view.findChild<QLineEdit*>();
    QTest::keyClick(view.canvas(), Qt::Key_F, Qt::ControlModifier);
    find->setText("TiledMv[192");
    QTest::keyClick(find, Qt::Key_Return);
    ASSERT_TRUE(std::holds_alternative<egraph::ENodeId>(selection.subject()));
    EXPECT_EQ(termName(*parts.snapshot->egraph, std::get<egraph::ENodeId>(selection.subject())),
              "TiledMv[192, 576]");
    EXPECT_TRUE(view.search("c" + QString::number(parts.convClass.value())));
    EXPECT_EQ(selection.subject(), Subject(parts.convClass));
    const Subject before = selection.subject();
    EXPECT_FALSE(view.search("no such thing"));
    EXPECT_EQ(selection.subject(), before);
}

TEST_F(EGraph, SearchWalksThroughAllHits) {
    show(parts.snapshot);
    std::set<QString> found;
    for (int k = 0; k < 5; ++k) {
        ASSERT_TRUE(view.search("tiledmv["));
        found.insert(toLink(selection.subject()));
    }
    EXPECT_EQ(found.size(), 5U);
}

TEST_F(EGraph, HopsWidenTheFocus) {
    view.setHops(0);
    show(parts.snapshot);
    waitForLayout([&] { view.focusOn(parts.convClass); });
    const QString narrow = view.countText();
    waitForLayout([&] { QTest::keyClick(view.canvas(), Qt::Key_Up, Qt::AltModifier); });
    EXPECT_EQ(view.hops(), 1);
    EXPECT_NE(view.countText(), narrow);
}

TEST_F(EGraph, DoubleClickOnAStubExpandsTheClass) {
    show(parts.snapshot);
    const std::uint32_t stub = parts.sharedClass.value() | kStubBit;
    ASSERT_NE(view.canvas()->scene().boxOf(stub), nullptr);
    waitForLayout([&] { QTest::mouseDClick(view.canvas(), Qt::LeftButton, {}, at(stub)); });
    EXPECT_EQ(view.canvas()->scene().boxOf(stub), nullptr);
    EXPECT_NE(view.canvas()->scene().boxOf(keyOf(parts.tiledMv)), nullptr);
}

TEST_F(EGraph, PinsShowTheirBadge) {
    auto snapshot = std::make_shared<session::Snapshot>(*parts.snapshot);
    snapshot->pins = {{1, design::PinKind::Share, "Mv 64×576", "", true},
                      {2, design::PinKind::ForbidTerm, "Conv[8, 8, 64, 3, 1]", "", true},
                      {3, design::PinKind::ForbidTerm, "Mv", "", false}};
    show(snapshot);
    EXPECT_TRUE(view.canvas()->scene().boxOf(keyOf(parts.sharedClass))->badge);
    EXPECT_FALSE(view.canvas()->scene().boxOf(keyOf(parts.sharedMv))->badge);
    EXPECT_THAT(text(), HasSubstr("*n5 Conv[8, 8, 64, 3, 1] c4 pinned"));
}

TEST_F(EGraph, SurvivesAWorkerThatCrashes) {
    view.layoutClient()->setProgram(QCoreApplication::applicationFilePath(), {"--crashing-worker"});
    QSignalSpy messages(&view, &EGraphView::message);
    view.setSnapshot(parts.snapshot);
    ASSERT_TRUE(test::waitForNext(messages));
    EXPECT_THAT(messages[0][0].toString().toStdString(), HasSubstr("layout-crash"));
    EXPECT_FALSE(view.canvas()->scene().boxes.empty()) << "the simple layout stays";
}

TEST_F(EGraph, ExportsPictureAndText) {
    show(parts.snapshot);
    QTemporaryDir folder;
    for (const QString& suffix : EGraphView::exportFormats())
        ASSERT_TRUE(view.exportTo(folder.filePath("egraph." + suffix)));
    ASSERT_TRUE(view.exportTo(folder.filePath("big.png"), 2));
    EXPECT_EQ(QImage(folder.filePath("big.png")).width(), 2 * view.canvas()->width());
    EXPECT_TRUE(QSvgRenderer(folder.filePath("egraph.svg")).isValid());
    EXPECT_FALSE(view.exportTo("/nowhere/egraph.svg"));
    for (const EGraphView::Mode mode : {EGraphView::Mode::Focus, EGraphView::Mode::Overview}) {
        view.setMode(mode);
        EXPECT_TRUE(EGraphView::isText(text())) << text();
    }
    EXPECT_FALSE(EGraphView::isText("e-graphs, an overview\n"));
}

TEST_F(EGraph, AnotherProgramStartsAfresh) {
    show(parts.snapshot);
    selection.select(parts.tiledMv);
    view.setMode(EGraphView::Mode::Focus);
    const auto other = test::bigSnapshot(30);
    show(other);
    EXPECT_TRUE(isEmpty(selection.subject()));
    EXPECT_EQ(view.mode(), EGraphView::Mode::Overview);
    view.setSnapshot(std::make_shared<session::Snapshot>());
    EXPECT_TRUE(test::waitFor([&] { return view.canvas()->scene().empty(); }));
}

TEST_F(EGraph, ControlsHaveNames) {
    for (const QWidget* child : view.findChildren<QWidget*>())
        if (child->focusPolicy() != Qt::NoFocus && child->isVisibleTo(&view) &&
            !child->objectName().startsWith("qt_")) {
            EXPECT_FALSE(child->accessibleName().isEmpty()) << child->metaObject()->className();
        }
}

} // namespace
} // namespace marquetry::widgets
