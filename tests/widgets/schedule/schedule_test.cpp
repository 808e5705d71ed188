// The Schedule view: what it shows of a timetable made by hand, and that its models keep their
// promises.
#include "engine/design/timetable_table.h"
#include "engine/design/timetable_text.h"
#include "engine/support/rng.h"
#include "tests/support/places.h"
#include "tests/support/text_recorder.h"
#include "tests/support/waits.h"
#include "widgets/schedule/queue_lanes_widget.h"
#include "widgets/schedule/schedule_view.h"
#include "widgets/schedule/step_details.h"
#include "widgets/schedule/timetable_filter.h"
#include "widgets/schedule/timetable_model.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QHeaderView>
#include <QImage>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBrowser>

#include <gtest/gtest.h>

namespace marquetry::test {

using design::PlaceKind;
using design::Queue;
using design::StepKind;
using design::TimedStep;
using design::Timetable;
using design::TimetableField;
using widgets::LayerName;
using widgets::ScheduleView;
using widgets::StepsShown;
using widgets::Subject;
using widgets::TimetableModel;

namespace {

struct Times {
    std::int64_t turn, begin, end, critical;
};

TimedStep stepOf(const char* name, StepKind kind, Queue queue, const Times& times) {
    TimedStep step;
    step.name = name;
    step.kind = kind;
    step.queue = queue;
    step.turn = times.turn;
    step.begin = times.begin;
    step.end = times.end;
    step.critical = times.critical;
    return step;
}

/// A load, a convolution that waits for it, a pool in the second queue that keeps the run, a
/// product beside it, and a store that waits for the pool.
std::shared_ptr<Timetable> queuedSteps() {
    auto table = std::make_shared<Timetable>();
    table->program = "small";
    table->cycles = 730;
    TimedStep conv = stepOf("conv", StepKind::Call, Queue::Calls, {1, 100, 600, 500});
    conv.unit = design::UnitId{0};
    conv.unitName = "Conv 8×8";
    conv.awaited = 0;
    conv.tokens = {{Queue::Transfers, 0}};
    conv.loops = {{10, "rows of conv"}, {45, "words of a row of the kernel, 8 channels each"}};
    conv.reads = {{PlaceKind::Slot, "s0", "x", 0, 80, 0, 0, 10},
                  {PlaceKind::Weights, "Conv 8×8", "weights", 0, 45}};
    conv.writes = {{PlaceKind::Slot, "s1", "conv", 60, 10, 64}};
    TimedStep pool = stepOf("pool", StepKind::Call, Queue::Second, {600, 600, 700, 100});
    pool.unit = design::UnitId{1};
    pool.unitName = "MaxPool";
    pool.awaited = 1;
    TimedStep fc = stepOf("fc", StepKind::Call, Queue::Calls, {601, 601, 681, 0});
    fc.unit = design::UnitId{0};
    fc.unitName = "Conv 8×8";
    fc.awaited = 2;
    TimedStep store = stepOf("y", StepKind::Store, Queue::Transfers, {681, 700, 730, 30});
    store.awaited = 2;
    store.tokens = {{Queue::Second, 2}, {Queue::Transfers, 0}};
    table->steps = {stepOf("x", StepKind::Load, Queue::Transfers, {0, 0, 100, 100}), conv, pool, fc,
                    store};
    return table;
}

std::shared_ptr<session::Snapshot> shownWith(std::shared_ptr<const Timetable> table) {
    auto program = std::make_shared<ir::Program>();
    program->name = "small";
    auto design = std::make_shared<design::Design>();
    for (const char* const name : {"Conv 8×8", "MaxPool"}) {
        design::DesignUnit unit;
        unit.id = design::UnitId{design->units.size()};
        unit.name = name;
        design->units.push_back(unit);
    }
    for (const char* const layer : {"conv", "pool", "fc"}) {
        ir::Value value;
        value.id = ir::ValueId{program->values.size()};
        value.name = layer;
        program->values.push_back(value);
        design::DesignCall call;
        call.id = design::CallId{design->calls.size()};
        call.layer = layer;
        call.unit = design::UnitId{layer == std::string("pool") ? 1 : 0};
        call.result = value.id;
        design->units[call.unit.index()].callSites.push_back(call.id);
        design->calls.push_back(call);
    }
    auto snapshot = std::make_shared<session::Snapshot>();
    snapshot->phase = session::Phase::Ready;
    snapshot->program = program;
    snapshot->design = design;
    snapshot->timetable = std::move(table);
    return snapshot;
}

class ScheduleShown : public ::testing::Test {
protected:
    void SetUp() override {
        view.resize(1280, 760);
        view.setSnapshot(shownWith(queuedSteps()));
        view.show();
        ASSERT_TRUE(waitForExposed(&view));
        QCoreApplication::processEvents();
    }
    QModelIndex cell(int row, TimetableField field) const {
        return view.table()->model()->index(row, static_cast<int>(field));
    }
    void clickRow(int row) {
        QTest::mouseClick(view.table()->viewport(), Qt::LeftButton, {},
                          view.table()->visualRect(cell(row, TimetableField::Name)).center());
    }
    /// In the lane, at a clock of the run.
    QPoint placeOf(int lane, double clock) const {
        const widgets::LanesView at = view.lanes()->view();
        return {static_cast<int>(at.x(clock)), 26 + 22 + 44 * lane + 15};
    }
    std::string layerSelected() const {
        const auto* layer = std::get_if<LayerName>(&selection.subject());
        return layer != nullptr ? layer->name : "";
    }

    widgets::SelectionModel selection;
    ScheduleView view{&selection};
};

std::string plainText(QString text) {
    return text.replace(QChar(0x202F), u' ').toStdString();
}

} // namespace

TEST_F(ScheduleShown, SaysWhenStepsRunAndWhatTheyAwait) {
    EXPECT_EQ(plainText(view.toText()), R"(schedule
small: 730 cycles in 5 steps. Of these clocks calls run for 79.5 %, second calls run for 13.7 %, transfers run for 17.8 %, the list waits for queues for 16.2 %.
showing 5 of 5 steps
0 | x | load | transfers |  | 0 | 100 | 100 | 100 | – | – |  |  |  |  | 
1 | conv | call | calls | Conv 8×8 | 100 | 600 | 500 | 500 | 99 | – | when step 0, load of x, ends | step 0, load of x | 10 × 45 | x, rows 0 to 9, in words 0 to 79 of s0; weights, in words 0 to 44 of unit Conv 8×8 | conv, in words 60 to 63 and 0 to 5 of s1
2 | pool | call | second calls | MaxPool | 600 | 700 | 100 | 100 | – | – | when step 1, conv, ends |  |  |  | 
3 | fc | call | calls | Conv 8×8 | 601 | 681 | 80 | – | – | – | when step 2, pool, is handed over |  |  |  | 
4 | y | store | transfers |  | 700 | 730 | 30 | 30 | 19 | – | when step 2, pool, ends | step 2, pool; step 0, load of x |  |  | 
)");
}

TEST_F(ScheduleShown, HasALaneForEachQueueAndOneForWaits) {
    const widgets::QueueLanes& lanes = view.lanes()->lanes();
    ASSERT_EQ(lanes.lanes.size(), 4U);
    EXPECT_EQ(lanes.lanes[0].name, "calls");
    EXPECT_EQ(lanes.lanes[1].name, "second calls");
    EXPECT_EQ(lanes.lanes[2].name, "transfers");
    EXPECT_TRUE(lanes.lanes[3].waits);
    ASSERT_EQ(lanes.lanes[3].blocks.size(), 2U);
    EXPECT_EQ(lanes.lanes[3].blocks[0].begin, 1);
    EXPECT_EQ(lanes.lanes[3].blocks[0].end, 100);
    double way = 0;
    for (const widgets::QueueLane& lane : lanes.lanes)
        for (const widgets::LaneBlock& block : lane.blocks)
            way += block.criticalTo - block.criticalFrom;
    EXPECT_EQ(way, 730) << "the way through the run is the run";
}

TEST_F(ScheduleShown, SaysWhichQueueIsFullestWhereTheListOnlyHandsOver) {
    auto table = queuedSteps();
    table->steps[1].queue = Queue::Second;
    table->steps[2].queue = table->steps[3].queue = design::queueBeside(1);
    view.setSnapshot(shownWith(table));
    EXPECT_EQ(plainText(view.summaryText()),
              "small: 730 cycles in 5 steps. Of these clocks second calls, the fullest queue, run "
              "for 68.5 %, third calls run for 24.7 %, transfers run for 17.8 %.");
    for (const widgets::QueueLane& lane : view.lanes()->lanes().lanes)
        EXPECT_FALSE(lane.waits);
}

TEST_F(ScheduleShown, HasALaneForJoinedCallsSoThatNoneCoversAnother) {
    auto table = queuedSteps();
    table->steps[3].joinedAfter = 20;
    table->steps[3].begin = table->steps[3].turn = 620;
    table->steps[3].end = 720;
    table->steps[3].critical = 20;
    view.setSnapshot(shownWith(table));
    const widgets::QueueLanes& lanes = view.lanes()->lanes();
    ASSERT_EQ(lanes.lanes.size(), 5U);
    EXPECT_EQ(lanes.lanes[1].name, "joined calls");
    ASSERT_EQ(lanes.lanes[1].blocks.size(), 1U);
    EXPECT_EQ(lanes.lanes[1].blocks[0].step, 3U);
    EXPECT_EQ(lanes.lanes[1].blocks[0].criticalFrom, 700) << "of the two the other was longer";
    EXPECT_EQ(lanes.places[3].lane, 1U);
    for (const widgets::QueueLane& lane : lanes.lanes) {
        EXPECT_LE(lane.busy, 1);
        for (std::size_t k = 1; k < lane.blocks.size(); ++k)
            EXPECT_LE(lane.blocks[k - 1].end, lane.blocks[k].begin) << lane.name.toStdString();
    }
}

TEST_F(ScheduleShown, ColumnsAreAsWideAsTheirTitles) {
    const QAbstractItemModel* model = view.table()->model();
    const QHeaderView* header = view.table()->horizontalHeader();
    for (int column = 0; column < model->columnCount(); ++column)
        if (!header->isSectionHidden(column)) {
            EXPECT_GE(header->sectionSize(column), header->sectionSizeHint(column))
                << model->headerData(column, Qt::Horizontal).toString().toStdString();
        }
}

TEST_F(ScheduleShown, StepsArePickedByMouseAndKeys) {
    widgets::QueueLanesWidget* lanes = view.lanes();
    QTest::mouseClick(lanes, Qt::LeftButton, {}, placeOf(1, 650));
    EXPECT_EQ(layerSelected(), "pool");
    EXPECT_EQ(view.step(), 2U);
    EXPECT_EQ(view.table()->currentIndex().row(), 2);
    lanes->setFocus();
    QTest::keyClick(lanes, Qt::Key_Right);
    EXPECT_EQ(layerSelected(), "fc");
    QTest::keyClick(lanes, Qt::Key_Down);
    EXPECT_EQ(layerSelected(), "pool") << "of the queue below the step that is nearest";
    QTest::keyClick(lanes, Qt::Key_Left);
    EXPECT_EQ(layerSelected(), "conv");
    QTest::mouseClick(lanes, Qt::LeftButton, {}, placeOf(3, 50));
    EXPECT_EQ(layerSelected(), "conv") << "what waits";
    QTest::keyClick(lanes, Qt::Key_Plus);
    EXPECT_LT(lanes->view().time.to - lanes->view().time.from, 730);
    QTest::keyClick(lanes, Qt::Key_F);
    EXPECT_EQ(lanes->view().time, (widgets::TimeSpan{0, 730}));
}

TEST_F(ScheduleShown, ZoomsAtThePointerAndMovesByDragging) {
    widgets::QueueLanesWidget* lanes = view.lanes();
    const QPoint place = placeOf(0, 365);
    const double at = lanes->view().clock(place.x());
    lanes->zoomBy(4, place.x());
    EXPECT_NEAR(lanes->view().clock(place.x()), at, 1e-6);
    const widgets::TimeSpan before = lanes->view().time;
    QTest::mousePress(lanes, Qt::LeftButton, {}, place);
    for (int k = 1; k <= 10; ++k)
        QTest::mouseMove(lanes, place - QPoint(10 * k, 0));
    QTest::mouseRelease(lanes, Qt::LeftButton, {}, place - QPoint(100, 0));
    EXPECT_GT(lanes->view().time.from, before.from);
    EXPECT_TRUE(isEmpty(selection.subject())) << "a drag picks nothing";
    selection.select(LayerName{"pool"});
    const widgets::TimeSpan now = lanes->view().time;
    EXPECT_LE(now.from, 600);
    EXPECT_GE(now.to, 700) << "what is selected elsewhere is brought into sight";
}

TEST_F(ScheduleShown, RowsSelectLayersAndTransfersTellTheirValue) {
    QSignalSpy values(&view, &ScheduleView::valuePicked);
    clickRow(1);
    EXPECT_EQ(layerSelected(), "conv");
    EXPECT_TRUE(values.isEmpty());
    clickRow(4);
    EXPECT_TRUE(isEmpty(selection.subject())) << "a store is of no layer";
    ASSERT_EQ(values.size(), 1);
    EXPECT_EQ(values[0][0].toString(), "y");
    EXPECT_EQ(view.step(), 4U);
    EXPECT_EQ(view.table()->currentIndex().row(), 4);
    selection.select(design::CallId{2});
    EXPECT_EQ(view.step(), 3U);
    EXPECT_EQ(selection.subject(), Subject(design::CallId{2})) << "following is not selecting";
    EXPECT_EQ(view.lanes()->marks().steps, std::vector<std::size_t>{3});
}

TEST_F(ScheduleShown, OfSeveralStepsOfALayerTheOneAtHandStays) {
    auto table = queuedSteps();
    table->steps[3].name = "conv";
    view.setSnapshot(shownWith(table));
    clickRow(3);
    EXPECT_EQ(layerSelected(), "conv");
    EXPECT_EQ(view.step(), 3U);
    EXPECT_EQ(view.lanes()->marks().steps, (std::vector<std::size_t>{1, 3}));
    clickRow(1);
    EXPECT_EQ(view.step(), 1U);
}

TEST_F(ScheduleShown, SaysOfAStepItsLoopsPlacesAndTokens) {
    clickRow(1);
    const std::string text = plainText(view.details()->toPlainText());
    for (const char* const part :
         {"step 1, conv on unit Conv 8×8 (calls)", "clocks 100 to 600: 500",
          "when step 0, load of x, ends", "its turn came at clock 1, so it waited for 99",
          "which ended at clock 100", "for 10 rows of conv",
          "for 45 words of a row of the kernel, 8 channels each", "x, rows 0 to 9",
          "conv, in words 60 to 63 and 0 to 5 of s1"})
        EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
    Q_EMIT view.details()->anchorClicked(QUrl(QStringLiteral("step:0")));
    EXPECT_EQ(view.step(), 0U);
    Q_EMIT view.details()->anchorClicked(QUrl(QStringLiteral("step:99")));
    EXPECT_EQ(view.step(), 0U);
    for (const char* const link : {"", "step:", "step:x", "step:5", "layer:conv"})
        EXPECT_FALSE(widgets::linkedStep(*queuedSteps(), QLatin1String(link))) << link;
}

TEST_F(ScheduleShown, FiltersByTextAndQueue) {
    auto* shown = view.findChild<QComboBox*>();
    QTest::keyClicks(view.findChild<QLineEdit*>(), "conv 8");
    EXPECT_EQ(view.countText(), "showing 2 of 5 steps");
    view.findChild<QLineEdit*>()->clear();
    const std::pair<StepsShown, const char*> kinds[] = {
        {StepsShown::Calls, "showing 2 of 5 steps"},
        {StepsShown::Second, "showing 1 of 5 steps"},
        {StepsShown::Transfers, "showing 2 of 5 steps"},
        {StepsShown::Critical, "showing 4 of 5 steps"},
        {StepsShown::All, "showing 5 of 5 steps"}};
    for (const auto& [kind, text] : kinds) {
        shown->setCurrentIndex(static_cast<int>(kind));
        EXPECT_EQ(view.countText(), text);
    }
    view.table()->sortByColumn(static_cast<int>(TimetableField::Clocks), Qt::DescendingOrder);
    EXPECT_EQ(cell(0, TimetableField::Name).data().toString(), "conv");
    EXPECT_EQ(cell(4, TimetableField::Name).data().toString(), "y");
    clickRow(1);
    EXPECT_EQ(view.step(), 0U) << "the row is of the step that is shown there";
}

TEST_F(ScheduleShown, EnterAndTheMenuAskForTheSource) {
    QSignalSpy asked(&view, &ScheduleView::sourceRequested);
    clickRow(1);
    QTest::keyClick(view.table(), Qt::Key_Return);
    ASSERT_EQ(asked.size(), 1);
    EXPECT_EQ(asked[0][0].toString(), "conv");
    QTest::mouseDClick(view.lanes(), Qt::LeftButton, {}, placeOf(1, 650));
    ASSERT_EQ(asked.size(), 2);
    EXPECT_EQ(asked[1][0].toString(), "pool");
    const std::unique_ptr<QMenu> menu(view.createMenu());
    ASSERT_GE(menu->actions().size(), 2);
    menu->actions()[0]->trigger();
    EXPECT_EQ(asked.size(), 3);
    menu->actions()[1]->trigger();
    EXPECT_EQ(view.step(), 1U) << "the step by which it begins";
}

TEST_F(ScheduleShown, HidesColumnsInWhichNothingIs) {
    const auto hidden = [&](TimetableField field) {
        return view.table()->isColumnHidden(static_cast<int>(field));
    };
    EXPECT_TRUE(hidden(TimetableField::MemoryWaits));
    EXPECT_FALSE(hidden(TimetableField::QueueWaits));
    auto table = queuedSteps();
    table->steps[1].memoryWaits = 20;
    view.setSnapshot(shownWith(table));
    EXPECT_FALSE(hidden(TimetableField::MemoryWaits));
}

TEST_F(ScheduleShown, ExportsWhatItShows) {
    QTemporaryDir folder;
    for (const QString& suffix : ScheduleView::exportFormats())
        ASSERT_TRUE(view.exportTo(folder.filePath("schedule." + suffix))) << suffix.toStdString();
    EXPECT_GT(QImage(folder.filePath("schedule.png")).width(), 400);
    const QStringList csv = view.toCsv().split('\n');
    EXPECT_EQ(csv.size(), 7);
    EXPECT_TRUE(csv[0].startsWith("\"Step\",\"Layer\",\"What\",\"Queue\",\"Unit\",\"Begins\","));
    EXPECT_TRUE(csv[4].startsWith("\"3\",\"fc\",\"call\",\"calls\",\"Conv 8×8\",\"601\","));
    QFile json(folder.filePath("schedule.json"));
    ASSERT_TRUE(json.open(QIODevice::ReadOnly));
    const std::string written = json.readAll().toStdString();
    EXPECT_EQ(written, timetableJson(*queuedSteps()) + "\n");
    for (const std::string& text : {view.toText().toStdString(), view.toCsv().toStdString(),
                                    view.toMarkdown().toStdString(), written})
        EXPECT_TRUE(ScheduleView::isText(text)) << text;
    for (const char* const other :
         {"", "schedules\n", "\"Step\",\"Price\"\n", "{\n  \"program\": \"x\"\n}\n"})
        EXPECT_FALSE(ScheduleView::isText(other)) << other;
}

TEST_F(ScheduleShown, FollowsTheDesignThatIsShown) {
    clickRow(1);
    view.setSnapshot(shownWith(nullptr));
    EXPECT_EQ(view.toText().toStdString(),
              "schedule\nNo design yet. The steps of its schedule are shown here when extraction "
              "has found one.\nshowing 0 of 0 steps\n");
    EXPECT_FALSE(view.step());
    auto missing = std::make_shared<Timetable>();
    missing->missing = "nobody builds it";
    view.setSnapshot(shownWith(missing));
    EXPECT_EQ(view.summaryText(), "There is no schedule of this design: nobody builds it");
    QTest::keyClick(view.lanes(), Qt::Key_Right);
    EXPECT_FALSE(view.step());
    view.setSnapshot(shownWith(queuedSteps()));
    EXPECT_EQ(view.model()->rowCount(), 5);
}

TEST_F(ScheduleShown, TextsAreLargeEnoughAndWithinThePicture) {
    auto* application = static_cast<QApplication*>(QCoreApplication::instance());
    const QString folder = QString::fromStdString(buildFolder() + "/pictures");
    ASSERT_TRUE(QDir().mkpath(folder));
    selection.select(LayerName{"fc"});
    QImage pictures[2];
    for (const bool dark : {false, true}) {
        applyTheme(*application, dark ? widgets::darkTheme() : widgets::lightTheme());
        QCoreApplication::processEvents();
        TextRecorder recorder(view.lanes()->size());
        QPainter painter(&recorder);
        view.exported().paint(painter);
        painter.end();
        EXPECT_GT(recorder.texts().size(), 10U);
        for (const PaintedText& text : recorder.texts()) {
            EXPECT_GE(text.pixels, 9) << text.text.toStdString();
            EXPECT_FALSE(text.text.contains(QChar(u'…'))) << text.text.toStdString();
            EXPECT_TRUE(QRectF(QPointF(0, 0), view.exported().size).contains(text.place))
                << text.text.toStdString();
        }
        pictures[dark ? 1 : 0] = view.grab().toImage();
        ASSERT_TRUE(pictures[dark ? 1 : 0].save(
            folder + (dark ? "/schedule_dark.png" : "/schedule_light.png")));
    }
    applyTheme(*application, widgets::lightTheme());
    const QPoint paper = view.details()->mapTo(&view, view.details()->rect().bottomRight());
    EXPECT_GT(qGray(pictures[0].pixel(paper - QPoint(20, 20))), 200);
    EXPECT_LT(qGray(pictures[1].pixel(paper - QPoint(20, 20))), 70);
}

/// Rows come, go and change in any order; the models say exactly what they do.
TEST(ScheduleModels, KeepTheirPromisesUnderRandomTimetables) {
    TimetableModel model;
    widgets::TimetableFilter filter;
    filter.setSourceModel(&model);
    filter.sort(static_cast<int>(TimetableField::Clocks), Qt::DescendingOrder);
    const auto fatal = QAbstractItemModelTester::FailureReportingMode::Fatal;
    const QAbstractItemModelTester tester(&model, fatal);
    const QAbstractItemModelTester filterTester(&filter, fatal);
    QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
    SplitMix64 random(7);
    for (int round = 0; round < 200; ++round) {
        auto table = queuedSteps();
        const TimedStep first = table->steps[0];
        table->steps.resize(static_cast<std::size_t>(random.range(3, 5)));
        for (std::int64_t k = random.range(0, 6); k > 0; --k) {
            table->steps.push_back(first);
            table->steps.back().end = random.range(1, 500);
        }
        const bool shown = random.range(0, 9) > 0;
        model.setTimetable(shown ? table : nullptr);
        filter.setShown(static_cast<StepsShown>(random.range(0, 4)));
        ASSERT_EQ(model.rowCount(), shown ? static_cast<int>(table->steps.size()) : 0);
        for (int row = 1; row < filter.rowCount(); ++row) {
            const auto clocksAt = [&](int at) {
                return filter.index(at, static_cast<int>(TimetableField::Clocks))
                    .data(TimetableModel::SortRole)
                    .toLongLong();
            };
            EXPECT_GE(clocksAt(row - 1), clocksAt(row));
        }
    }
    EXPECT_TRUE(resets.isEmpty());
}

} // namespace marquetry::test
