#include "snapshot_fixture.h"
#include "tests/support/waits.h"

#include "widgets/sharing/sharing_view.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QFile>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QSvgRenderer>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace marquetry::widgets {
namespace {

using design::CallId;
using design::PinKind;
using design::UnitId;
using test::makeSnapshot;
using ::testing::ElementsAre;

class Sharing : public ::testing::Test {
protected:
    void SetUp() override {
        QObject::connect(&view, &SharingView::pinRequested,
                         [this](const design::Pin& pin) { pins.push_back(toString(pin)); });
        view.resize(900, 520);
        view.setSnapshot(parts.snapshot);
        view.show();
        ASSERT_TRUE(test::waitForExposed(&view));
    }
    QModelIndex cell(int row, int column) const {
        return view.table()->model()->index(row, column);
    }
    void clickCell(int row, int column) {
        QTest::mouseClick(view.table()->viewport(), Qt::LeftButton, {},
                          view.table()->visualRect(cell(row, column)).center());
    }

    void askAbout(const design::Pin& pin, std::shared_ptr<const design::Design> answer = nullptr) {
        auto snapshot = std::make_shared<session::Snapshot>(*parts.snapshot);
        snapshot->whatIf = session::WhatIf{pin, answer == nullptr, answer, {}};
        view.setSnapshot(snapshot);
        QApplication::processEvents(); // the panel that appears is laid out
    }

    test::SnapshotParts parts = makeSnapshot();
    SelectionModel selection;
    SharingView view{&selection};
    std::vector<std::string> pins;
};

TEST_F(Sharing, ShowsEveryCandidateWithStateAndReason) {
    EXPECT_EQ(view.toText().replace(QChar(0x202F), u' ').toStdString(), R"(sharing
showing 3 of 3 candidates
Mv 64×576 | 2: conv, fc | ● shared | 64 | 0 | 72 % | built once for 2 call sites; one copy each would take DSP 64 → 128 of 100, over the limit
Conv 8×8×64→64 k3 | 2: conv, fc | ○ not shared | 12 | 300 | – | no design that shares it fits the limits
Mv 32×288 | – | ⊘ forbidden | 0 | 0 | – | forbidden by a pin
3 call sites → 2 units, 1 shared · 24 136 cycles
Mv 64×576  72 %: 0[200..18632] 2[21632..23936]
Pass  11 %: 1[18632..21632]
0  conv
1  pool
2  fc
)");
}

TEST_F(Sharing, ClickingARowSelectsItEverywhere) {
    clickCell(1, SharingModel::Unit);
    EXPECT_EQ(selection.subject(), Subject(parts.convClass));
    clickCell(0, SharingModel::Unit);
    EXPECT_EQ(selection.subject(), Subject(parts.sharedClass));
    EXPECT_THAT(selection.linked().calls, ElementsAre(CallId{0}, CallId{2}));
}

TEST_F(Sharing, SelectingACallElsewhereMovesTheTable) {
    selection.select(LayerName{"fc"});
    EXPECT_EQ(view.table()->currentIndex().row(), 0);
    EXPECT_EQ(selection.subject(), Subject(LayerName{"fc"})) << "following is not selecting";
}

TEST_F(Sharing, SpaceAsksForTheOpposite) {
    clickCell(0, SharingModel::Unit);
    QTest::keyClick(view.table(), Qt::Key_Space);
    clickCell(1, SharingModel::Unit);
    QTest::keyClick(view.table(), Qt::Key_Space);
    EXPECT_THAT(pins, ElementsAre("never-share Mv 64×576", "share Conv 8×8×64→64 k3"));
}

TEST_F(Sharing, TheCheckBoxIsAQuestionNotAnAnswer) {
    QSignalSpy asked(&view, &SharingView::whatIfRequested);
    QSignalSpy dropped(&view, &SharingView::whatIfDropped);
    const QRect state = view.table()->visualRect(cell(0, SharingModel::State));
    const auto clickBox = [&] {
        QTest::mouseClick(view.table()->viewport(), Qt::LeftButton, {},
                          QPoint(state.left() + 10, state.center().y()));
    };
    clickBox();
    ASSERT_EQ(asked.size(), 1);
    EXPECT_EQ(toString(asked[0][0].value<design::Pin>()), "never-share Mv 64×576");
    EXPECT_TRUE(pins.empty());
    EXPECT_EQ(view.model()->index(0, SharingModel::State).data(Qt::CheckStateRole), Qt::Checked);
    clickCell(1, SharingModel::Unit);
    QTest::keyClick(view.table(), Qt::Key_W);
    ASSERT_EQ(asked.size(), 2);
    EXPECT_EQ(toString(asked[1][0].value<design::Pin>()), "share Conv 8×8×64→64 k3");

    askAbout(asked[0][0].value<design::Pin>());
    clickBox();
    EXPECT_EQ(dropped.size(), 1) << "the same box again takes the question back";
}

TEST_F(Sharing, TheAnswerStandsBesideTheDesign) {
    EXPECT_FALSE(view.whatIf()->isVisible());
    design::Pin pin;
    pin.kind = PinKind::NeverShare;
    pin.target = "Mv 64×576";
    askAbout(pin);
    EXPECT_TRUE(view.whatIf()->isVisible());
    EXPECT_EQ(view.whatIf()->toText().toStdString(), "What if: never share Mv 64×576?\nrunning\n");
    EXPECT_FALSE(view.whatIf()->pinButton()->isEnabled());
    EXPECT_TRUE(cell(0, SharingModel::State).data().toString().endsWith("what if?"));

    askAbout(pin, test::unshared(parts)->design);
    const QString text = view.whatIf()->toText().replace(QChar(0x202F), u' ');
    EXPECT_TRUE(text.contains("\ncycles 24 136 → ")) << text.toStdString();
    EXPECT_TRUE(text.contains("\nDSP ")) << text.toStdString();
    EXPECT_GE(view.gantt()->view().to, view.gantt()->gantt().cycles);
    QTest::mouseClick(view.whatIf()->pinButton(), Qt::LeftButton);
    EXPECT_THAT(pins, ElementsAre("never-share Mv 64×576"));
    QSignalSpy dropped(&view, &SharingView::whatIfDropped);
    QTest::mouseClick(view.whatIf()->dismissButton(), Qt::LeftButton);
    EXPECT_EQ(dropped.size(), 1);
    view.setSnapshot(parts.snapshot);
    EXPECT_FALSE(view.whatIf()->isVisible());
    EXPECT_EQ(view.gantt()->view().to, 24'136);
}

TEST_F(Sharing, AQuestionWithoutADesignSaysWhy) {
    auto snapshot = std::make_shared<session::Snapshot>(*parts.snapshot);
    snapshot->whatIf = session::WhatIf{};
    snapshot->whatIf->running = false;
    snapshot->whatIf->infeasible = {makeError("limit-dsp", "no design fits dsp=100", "")};
    view.setSnapshot(snapshot);
    EXPECT_TRUE(view.whatIf()->toText().endsWith("no design: no design fits dsp=100\n"));
}

TEST_F(Sharing, APinnedRowIsUnpinned) {
    view.setSnapshot(test::unshared(parts));
    QSignalSpy unpins(&view, &SharingView::unpinRequested);
    ASSERT_EQ(view.model()->candidate(1).name, "Mv 64×576");
    EXPECT_TRUE(view.model()->index(1, SharingModel::State).data().toString().endsWith("⌾"));
    clickCell(1, SharingModel::Unit);
    QTest::keyClick(view.table(), Qt::Key_Space);
    ASSERT_EQ(unpins.size(), 1);
    EXPECT_EQ(unpins[0][0].toInt(), 3);
}

TEST_F(Sharing, MenuPinsAndFocuses) {
    clickCell(0, SharingModel::Unit);
    QMenu* menu = view.createMenu(selection.subject());
    QStringList texts;
    for (QAction* action : menu->actions())
        texts << action->text();
    EXPECT_EQ(texts.join('/').toStdString(),
              "What if it were the opposite? (W)/Share unit Mv 64×576/Never share Mv 64×576//Show "
              "in the e-graph/Copy id");
    menu->actions()[2]->trigger();
    EXPECT_THAT(pins, ElementsAre("never-share Mv 64×576"));
}

TEST_F(Sharing, FiltersByTextAndState) {
    auto* text = view.findChild<QLineEdit*>();
    QTest::keyClicks(text, "over the limit");
    EXPECT_EQ(view.countText(), "showing 1 of 3 candidates");
    text->clear();
    view.findChild<QComboBox*>()->setCurrentIndex(3);
    EXPECT_EQ(view.table()->model()->rowCount(), 1);
    EXPECT_EQ(cell(0, 0).data().toString(), "Mv 32×288");
}

TEST_F(Sharing, SortsByNumbersNotByTheirText) {
    view.table()->sortByColumn(SharingModel::SavedDsp, Qt::DescendingOrder);
    EXPECT_EQ(cell(0, 0).data().toString(), "Mv 64×576");
    EXPECT_EQ(cell(1, 0).data().toString(), "Conv 8×8×64→64 k3");
    view.table()->sortByColumn(SharingModel::SavedDsp, Qt::AscendingOrder);
    EXPECT_EQ(cell(0, 0).data().toString(), "Mv 32×288");
}

TEST_F(Sharing, ClickingTheTimeLineSelectsCallsAndUnits) {
    GanttWidget* gantt = view.gantt();
    const GanttView at = gantt->view();
    const auto click = [&](double cycle, double y) {
        QTest::mouseClick(gantt, Qt::LeftButton, {}, QPointF(at.x(cycle), y).toPoint());
    };
    click(5'000, 34 + 22 + 15);
    EXPECT_EQ(selection.subject(), Subject(CallId{0}));
    click(20'000, 34 + 22 + 45);
    EXPECT_EQ(selection.subject(), Subject(CallId{1}));
    QTest::mouseClick(gantt, Qt::LeftButton, {}, QPoint(20, 34 + 22 + 45));
    EXPECT_EQ(selection.subject(), Subject(UnitId{1}));
}

namespace {

design::TimedStep timed(const std::string& name, design::StepKind kind, std::int64_t begin,
                        std::int64_t end) {
    design::TimedStep step;
    step.name = name;
    step.kind = kind;
    step.begin = begin;
    step.end = end;
    return step;
}

} // namespace

// In the order of the schedule, behind what is loaded, each call as often as it runs.
TEST(Gantt, ShowsTheStepsOfTheTimetable) {
    const auto parts = test::makeSnapshot();
    const design::Design& design = *parts.snapshot->design;
    design::Timetable timetable;
    timetable.cycles = design.cycles;
    const std::string& first = design.calls[0].layer;
    const std::string& second = design.calls[1].layer;
    timetable.steps = {timed("x", design::StepKind::Load, 0, 130),
                       timed(first, design::StepKind::Call, 131, 1'000),
                       timed(second, design::StepKind::Call, 500, 1'500),
                       timed(first, design::StepKind::Call, 1'001, 1'900),
                       timed("y", design::StepKind::Store, 1'900, 2'000)};
    const Gantt gantt = ganttOf(design, &timetable);
    ASSERT_EQ(gantt.lanes[0].blocks.size(), 2U);
    EXPECT_EQ(gantt.lanes[0].blocks[0].from, 131);
    EXPECT_EQ(gantt.lanes[0].blocks[1].to, 1'900);
    ASSERT_EQ(gantt.lanes[1].blocks.size(), 1U);
    EXPECT_EQ(gantt.lanes[1].blocks[0].from, 500);
    EXPECT_FALSE(gantt.title.contains("not when"));
    auto shown = std::make_shared<session::Snapshot>(*parts.snapshot);
    shown->timetable = std::make_shared<const design::Timetable>(timetable);
    EXPECT_EQ(ganttOf(SnapshotIndex(shown)).lanes[0].blocks.size(), 2U);
}

// Where calls take longer together than the run, bars one behind the other would be untrue.
TEST(Gantt, SaysHowLongAndNotWhenWithoutATimetable) {
    design::Design design = *test::makeSnapshot().snapshot->design;
    EXPECT_FALSE(ganttOf(design).title.contains("not when"));
    // One unit for each call, all at work for most of the run: frames are in flight.
    design.frames = 64;
    std::int64_t end = 0;
    for (design::DesignCall& call : design.calls) {
        call.unit = design::UnitId{call.id.index() % design.units.size()};
        call.cycles = design.cycles / static_cast<std::int64_t>(design.calls.size());
        call.overlap = call.id.index() == 0 ? call.cycles - 10 : 0;
        call.start = end + (call.id.index() == 1 ? design.cycles : 0);
        end = call.start + call.cycles;
    }
    const Gantt gantt = ganttOf(design);
    EXPECT_TRUE(gantt.title.contains("how long, not when")) << gantt.title.toStdString();
    EXPECT_EQ(gantt.cycles, static_cast<double>(design.cycles));
    for (const GanttRow& row : gantt.rows)
        for (std::size_t k = 1; k < row.blocks.size(); ++k)
            EXPECT_GE(row.blocks[k].from, row.blocks[k - 1].to);
}

TEST_F(Sharing, TheTimeLineIsReachedByKeysAlone) {
    GanttWidget* gantt = view.gantt();
    gantt->setFocus();
    QTest::keyClick(gantt, Qt::Key_Right);
    EXPECT_EQ(selection.subject(), Subject(CallId{0}));
    QTest::keyClick(gantt, Qt::Key_Right);
    EXPECT_EQ(selection.subject(), Subject(CallId{1}));
    QTest::keyClick(gantt, Qt::Key_Up);
    EXPECT_EQ(selection.subject(), Subject(UnitId{0}));
    QTest::keyClick(gantt, Qt::Key_Plus);
    EXPECT_LT(gantt->view().to - gantt->view().from, 24'136);
    QTest::keyClick(gantt, Qt::Key_F);
    EXPECT_EQ(gantt->view().to, 24'136);
}

TEST_F(Sharing, ExportsWhatItShows) {
    QTemporaryDir folder;
    for (const QString& suffix : SharingView::exportFormats())
        ASSERT_TRUE(view.exportTo(folder.filePath("sharing." + suffix))) << suffix.toStdString();
    EXPECT_GT(QImage(folder.filePath("sharing.png")).width(), 400);
    EXPECT_TRUE(QSvgRenderer(folder.filePath("sharing.svg")).isValid());
    const QStringList csv = view.toCsv().split('\n');
    EXPECT_EQ(csv[0].toStdString(),
              R"("Unit","Call sites","State","Saved DSP","Extra cycles","Busy","Why")");
    EXPECT_EQ(csv.size(), 5);
    EXPECT_TRUE(view.toMarkdown().startsWith("| Unit | Call sites |"));
    for (const QString& text : {view.toText(), view.toCsv(), view.toMarkdown()})
        EXPECT_TRUE(SharingView::isText(text.toStdString())) << text.toStdString();
    for (const char* const other :
         {"", "sharing is caring\n", "\"Unit\",\"Price\"\n", "| Unit |\n"})
        EXPECT_FALSE(SharingView::isText(other)) << other;
}

TEST_F(Sharing, ShowsThatThereIsNoDesign) {
    view.setSnapshot(makeSnapshot(false).snapshot);
    EXPECT_EQ(view.toText().toStdString(), "sharing\nshowing 0 of 0 candidates\nno design\n");
    EXPECT_GT(view.grab().width(), 0);
}

/// Rows come, go, move and change in any order; the model says exactly what it does.
TEST(SharingModel, KeepsItsPromisesUnderRandomDesigns) {
    SharingModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
    const auto parts = makeSnapshot();
    std::mt19937 random(11);
    for (int round = 0; round < 200; ++round) {
        auto snapshot = std::make_shared<session::Snapshot>(*parts.snapshot);
        auto design = std::make_shared<design::Design>(*parts.snapshot->design);
        std::vector<int> names{0, 1, 2, 3, 4, 5, 6, 7};
        std::shuffle(names.begin(), names.end(), random);
        names.resize(random() % 9);
        design->candidates.clear();
        for (const int name : names) {
            design::SharingCandidate candidate;
            candidate.name = "Mv " + std::to_string(name);
            candidate.shared = random() % 2 == 0;
            candidate.savedDsp = static_cast<double>(random() % 100);
            design->candidates.push_back(candidate);
        }
        snapshot->design = design;
        model.setIndex(std::make_shared<SnapshotIndex>(snapshot));
        ASSERT_EQ(model.rowCount(), static_cast<int>(names.size()));
        for (int row = 0; row < model.rowCount(); ++row)
            EXPECT_EQ(model.candidate(row).name,
                      design->candidates[static_cast<std::size_t>(row)].name);
    }
    EXPECT_TRUE(resets.isEmpty());
}

} // namespace
} // namespace marquetry::widgets
