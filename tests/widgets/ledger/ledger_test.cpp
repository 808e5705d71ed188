// The Ledger view: what it says of a ledger made by hand, and that its models keep their promises.
#include "engine/design/ledger_resources.h"
#include "engine/design/ledger_table.h"
#include "engine/support/rng.h"
#include "tests/support/places.h"
#include "tests/support/waits.h"
#include "widgets/ledger/ledger_filter.h"
#include "widgets/ledger/ledger_view.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QComboBox>
#include <QDir>
#include <QImage>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

#include <gtest/gtest.h>

#include <numeric>

namespace marquetry::test {

using design::ClockPart;
using design::Ledger;
using design::LedgerRow;
using design::StepKind;
using widgets::LayerName;
using widgets::LedgerModel;
using widgets::LedgerView;
using widgets::ResourceModel;
using widgets::Subject;

namespace {

LedgerRow transferRow(const char* port, StepKind kind, std::int64_t begin, std::int64_t clocks) {
    LedgerRow row;
    row.name = port;
    row.kind = kind;
    row.begin = begin;
    row.clocks.transfer = clocks;
    row.clocks.drain = 2;
    row.bound = ClockPart::Transfer;
    return row;
}

LedgerRow callRow(const char* layer, int unit, const char* unitName, std::int64_t begin) {
    LedgerRow row;
    row.name = layer;
    row.unit = design::UnitId{unit};
    row.unitName = unitName;
    row.begin = begin;
    row.clocks.drain = 10;
    return row;
}

/// A load, a convolution that waits for its weights, a pool that is joined to it, a product that
/// fills its unit badly, and a store.
std::shared_ptr<Ledger> handLedger() {
    auto ledger = std::make_shared<Ledger>();
    ledger->program = "small";
    LedgerRow conv = callRow("conv", 0, "Conv 8×8", 102);
    conv.clocks.taking = 1000;
    conv.clocks.multiplying = 900.5;
    conv.clocks.waiting = 1500;
    conv.clocks.multiplications = 28'816;
    conv.bound = ClockPart::Waiting;
    conv.weights = {true, 72, 256, "on the chip they would take 9 M20K more, and 2 are free"};
    LedgerRow pool = callRow("pool", 1, "MaxPool", 2512);
    pool.clocks.elements = 200;
    pool.clocks.overlap = 100;
    pool.bound = ClockPart::Elements;
    LedgerRow fc = callRow("fc", 0, "Conv 8×8", 2722);
    fc.clocks.taking = 64;
    fc.clocks.multiplying = 20;
    fc.clocks.multiplications = 640;
    fc.bound = ClockPart::Padding;
    fc.weights = {false, 64, 256, "they have room in the block RAM of the unit"};
    ledger->steps = {transferRow("x", StepKind::Load, 0, 100), conv, pool, fc,
                     transferRow("y", StepKind::Store, 2796, 10)};
    ledger->layers = ledger->steps;
    for (const LedgerRow& row : ledger->steps)
        ledger->total += row.clocks;
    ledger->cycles = ledger->total.cycles();
    ledger->resources = {{"DSP", 16, 16, 64, {{"unit Conv 8×8", 16}}},
                         {"M20K", 6, 8, 8, {{"unit Conv 8×8", 4}, {"memory s0", 2}}},
                         {"LUT", 900, 9000, 9000, {{"control", 900}}},
                         {"FF", 600, 9000, 9000, {{"control", 600}}}};
    ledger->binding = {ClockPart::Waiting, "conv", "The most clocks go to waiting."};
    return ledger;
}

std::shared_ptr<session::Snapshot> showing(std::shared_ptr<const Ledger> ledger) {
    auto program = std::make_shared<ir::Program>();
    program->name = "small";
    for (const char* const name : {"conv", "pool", "fc"}) {
        ir::Value value;
        value.id = ir::ValueId{program->values.size()};
        value.name = name;
        program->values.push_back(value);
    }
    auto design = std::make_shared<design::Design>();
    for (const char* const name : {"Conv 8×8", "MaxPool"}) {
        design::DesignUnit unit;
        unit.id = design::UnitId{design->units.size()};
        unit.name = name;
        design->units.push_back(unit);
    }
    for (const char* const layer : {"conv", "pool", "fc"}) {
        design::DesignCall call;
        call.id = design::CallId{design->calls.size()};
        call.layer = layer;
        call.unit = design::UnitId{layer == std::string("pool") ? 1 : 0};
        call.result = ir::ValueId{design->calls.size()};
        design->units[call.unit.index()].callSites.push_back(call.id);
        design->calls.push_back(call);
    }
    auto snapshot = std::make_shared<session::Snapshot>();
    snapshot->phase = session::Phase::Ready;
    snapshot->program = program;
    snapshot->design = design;
    snapshot->ledger = std::move(ledger);
    return snapshot;
}

class LedgerShown : public ::testing::Test {
protected:
    void SetUp() override {
        view.resize(1200, 700);
        view.setSnapshot(showing(handLedger()));
        view.show();
        ASSERT_TRUE(waitForExposed(&view));
    }
    QModelIndex cell(int row, design::LedgerField field) const {
        return view.table()->model()->index(row, static_cast<int>(field));
    }
    QString textAt(int row, design::LedgerField field) const {
        return cell(row, field).data().toString();
    }
    void clickRow(int row) {
        QTest::mouseClick(view.table()->viewport(), Qt::LeftButton, {},
                          view.table()->visualRect(cell(row, design::LedgerField::Name)).center());
    }
    QComboBox* box(const char* name) {
        for (QComboBox* each : view.findChildren<QComboBox*>())
            if (each->accessibleName() == QLatin1String(name))
                return each;
        return nullptr;
    }

    widgets::SelectionModel selection;
    LedgerView view{&selection};
};

} // namespace

TEST_F(LedgerShown, SaysWhereTheClocksGo) {
    EXPECT_EQ(view.toText().replace(QChar(0x202F), u' ').toStdString(), R"(ledger
small: 2 808 cycles. The most clocks go to waiting.
showing 5 of 5 layers and transfers
x | load |  | load/store | 102 | 3.6 | – | – | – | 100 | – | – | – | 2 | – | – |  |  | 
conv | call | Conv 8×8 | memory | 2 510 | 89.4 | 901 | 100 | – | – | – | – | 1 500 | 10 | – | 28 816 | 35.9 | external | on the chip they would take 9 M20K more, and 2 are free
pool | call | MaxPool | elements | 110 | 3.9 | – | – | 200 | – | – | – | – | 10 | 100 | – |  |  | 
fc | call | Conv 8×8 | padding | 74 | 2.6 | 20 | 44 | – | – | – | – | – | 10 | – | 640 | 27.0 | on chip | they have room in the block RAM of the unit
y | store |  | load/store | 12 | 0.4 | – | – | – | 10 | – | – | – | 2 | – | – |  |  | 
total |  |  | memory | 2 808 | 100.0 | 921 | 144 | 200 | 110 | – | – | 1 500 | 34 | 100 | 29 456 | 31.7 |  | 
DSP | 16 | 16 | 100.0 | 64 | unit Conv 8×8 16
M20K | 6 | 8 | 75.0 | 8 | unit Conv 8×8 4, memory s0 2
LUT | 900 | 9 000 | 10.0 | 9 000 | control 900
FF | 600 | 9 000 | 6.7 | 9 000 | control 600
load x | 102 clocks from 0 | transfer: 100 | drain: 2
conv on Conv 8×8 | 2 510 clocks from 102 | multiplying: 901 | padding: 100 | waiting: 1 500 | drain: 10
pool on MaxPool | 210 clocks from 2 512 | elements: 200 | drain: 10
fc on Conv 8×8 | 74 clocks from 2 722 | multiplying: 20 | padding: 44 | drain: 10
store y | 12 clocks from 2 796 | transfer: 10 | drain: 2
)");
}

TEST_F(LedgerShown, HidesColumnsInWhichNothingIs) {
    const auto hidden = [&](design::LedgerField field) {
        return view.table()->isColumnHidden(static_cast<int>(field));
    };
    EXPECT_FALSE(hidden(design::LedgerField::Waiting));
    EXPECT_FALSE(hidden(design::LedgerField::Overlap));
    EXPECT_TRUE(hidden(design::LedgerField::Move));
    EXPECT_TRUE(hidden(design::LedgerField::WriteBack));
}

TEST_F(LedgerShown, SortsByNumbersAndKeepsTheSumLast) {
    view.table()->sortByColumn(static_cast<int>(design::LedgerField::Cycles), Qt::DescendingOrder);
    EXPECT_EQ(textAt(0, design::LedgerField::Name), "conv");
    EXPECT_EQ(textAt(1, design::LedgerField::Name), "pool");
    EXPECT_EQ(textAt(5, design::LedgerField::Name), "total");
    view.table()->sortByColumn(static_cast<int>(design::LedgerField::Cycles), Qt::AscendingOrder);
    EXPECT_EQ(textAt(0, design::LedgerField::Name), "y");
    EXPECT_EQ(textAt(4, design::LedgerField::Name), "conv");
    EXPECT_EQ(textAt(5, design::LedgerField::Name), "total");
}

TEST_F(LedgerShown, FiltersByTextAndBound) {
    QTest::keyClicks(view.findChild<QLineEdit*>(), "conv 8");
    EXPECT_EQ(view.countText(), "showing 2 of 5 layers and transfers");
    EXPECT_EQ(textAt(2, design::LedgerField::Name), "total");
    box("What the rows shown are bound by")
        ->setCurrentText(QString::fromStdString(boundName(ClockPart::Padding)));
    EXPECT_EQ(view.countText(), "showing 1 of 5 layers and transfers");
    EXPECT_EQ(textAt(0, design::LedgerField::Name), "fc");
    view.findChild<QLineEdit*>()->clear();
    box("What the rows shown are bound by")->setCurrentIndex(0);
    EXPECT_EQ(view.countText(), "showing 5 of 5 layers and transfers");
}

TEST_F(LedgerShown, SelectsLayersAndFollowsTheSelection) {
    clickRow(1);
    EXPECT_EQ(selection.subject(), Subject(LayerName{"conv"}));
    clickRow(0);
    EXPECT_EQ(selection.subject(), Subject(LayerName{"conv"})) << "a load is no layer";
    clickRow(5);
    EXPECT_EQ(selection.subject(), Subject(LayerName{"conv"})) << "nor is the sum";
    selection.select(design::CallId{2});
    EXPECT_EQ(view.table()->currentIndex().row(), 3);
    EXPECT_EQ(selection.subject(), Subject(design::CallId{2})) << "following is not selecting";
    EXPECT_EQ(view.bars()->litLayer(), "fc");
}

TEST_F(LedgerShown, BringsWhatIsSelectedIntoSight) {
    auto ledger = handLedger();
    const LedgerRow fc = ledger->steps[3];
    for (auto* rows : {&ledger->layers, &ledger->steps}) {
        rows->erase(rows->begin() + 3);
        for (int k = 0; k < 60; ++k)
            rows->push_back(callRow(("other" + std::to_string(k)).c_str(), 0, "Conv 8×8", 0));
        rows->push_back(fc);
    }
    view.setSnapshot(showing(ledger));
    selection.select(design::CallId{2});
    const QModelIndex current = view.table()->currentIndex();
    EXPECT_EQ(current.siblingAtColumn(0).data().toString(), "fc");
    EXPECT_TRUE(view.table()->viewport()->rect().contains(view.table()->visualRect(current)));
    const auto height = heightOf(view.bars()->steps(), "fc");
    ASSERT_TRUE(height.has_value());
    EXPECT_TRUE(view.bars()->visibleRegion().contains(QPoint(200, static_cast<int>(*height))));
}

TEST_F(LedgerShown, StepsAreSelectedByMouseAndKeys) {
    widgets::StepBarsWidget* bars = view.bars();
    QTest::mouseClick(bars, Qt::LeftButton, {}, QPoint(400, 44 + 22 + 20 * 2 + 10));
    EXPECT_EQ(selection.subject(), Subject(LayerName{"pool"}));
    bars->setFocus();
    QTest::keyClick(bars, Qt::Key_Down);
    EXPECT_EQ(selection.subject(), Subject(LayerName{"fc"}));
    QTest::keyClick(bars, Qt::Key_Down);
    EXPECT_EQ(selection.subject(), Subject(LayerName{"fc"})) << "only the store comes after it";
    QTest::keyClick(bars, Qt::Key_Up);
    EXPECT_EQ(selection.subject(), Subject(LayerName{"pool"}));
    QTest::keyClick(bars, Qt::Key_Plus);
    EXPECT_LT(bars->view().to - bars->view().from, bars->steps().cycles);
    QTest::keyClick(bars, Qt::Key_F);
    EXPECT_EQ(bars->view().to, bars->steps().cycles);
}

// Of groups of frames each layer has a line, and not each of its many steps.
TEST_F(LedgerShown, StepsOfALayerThatHasManyShareALine) {
    auto ledger = handLedger();
    const std::vector<LedgerRow> once = ledger->steps;
    const std::int64_t apart = ledger->cycles;
    for (std::int64_t group = 1; group < 3; ++group)
        for (LedgerRow step : once) {
            step.begin += group * apart;
            ledger->steps.push_back(step);
        }
    ledger->cycles = 3 * apart;
    view.setSnapshot(showing(ledger));
    widgets::StepBarsWidget* bars = view.bars();
    const widgets::StepBars& steps = bars->steps();
    ASSERT_EQ(steps.bars.size(), 3 * once.size());
    EXPECT_EQ(steps.lines.size(), once.size());
    for (std::size_t k = 0; k < steps.bars.size(); ++k) {
        const widgets::StepBar& bar = steps.bars[k];
        EXPECT_EQ(bar.line, k % once.size());
        const double x = bars->view().x(bar.begin + bar.clocks() / 2);
        const double y = 44 + 22 + 20 * static_cast<double>(bar.line) + 10;
        EXPECT_EQ(barAt(steps, bars->view(), {x, y}), k);
    }
    EXPECT_EQ(barAt(steps, bars->view(), {400, 10}), std::nullopt) << "the legend";
    EXPECT_LT(stepsHeight(steps), 44 + 22 + 20 * 8);
}

TEST_F(LedgerShown, ShowsStepsInPlaceOfLayers) {
    auto ledger = handLedger();
    LedgerRow copy = ledger->steps[3];
    copy.kind = StepKind::Move;
    ledger->steps.insert(ledger->steps.begin() + 3, copy);
    view.setSnapshot(showing(ledger));
    EXPECT_EQ(view.countText(), "showing 5 of 5 layers and transfers");
    box("Rows of the table")->setCurrentIndex(1);
    EXPECT_EQ(view.countText(), "showing 6 of 6 steps");
    EXPECT_EQ(textAt(3, design::LedgerField::What), "move");
    clickRow(4);
    EXPECT_EQ(view.table()->currentIndex().row(), 4) << "of the steps of a layer that one stays";
}

TEST_F(LedgerShown, TheLegendSaysWhatTheSentenceSays) {
    auto ledger = handLedger();
    ledger->binding = design::ledgerBinding(*ledger);
    view.setSnapshot(showing(ledger));
    const widgets::StepBars& steps = view.bars()->steps();
    EXPECT_EQ(legendText(steps, ClockPart::Waiting), "waiting 53.4 %");
    EXPECT_TRUE(view.summaryText().contains("waiting, 53.4 % of all")) << "1 500 of 2 808";
    EXPECT_EQ(legendText(steps, ClockPart::Elements), "elements 3.7 %")
        << "the run waits for 110 of the pool's 210 clocks, 200 of which are these";
    EXPECT_NEAR(std::accumulate(steps.waited.begin(), steps.waited.end(), 0.0), 2808, 1e-6);
}

TEST_F(LedgerShown, TipsDefineTheColumns) {
    const QAbstractItemModel* model = view.table()->model();
    for (int column = 0; column < model->columnCount(); ++column) {
        EXPECT_FALSE(model->headerData(column, Qt::Horizontal).toString().isEmpty());
        EXPECT_FALSE(
            model->headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString().isEmpty());
    }
    EXPECT_TRUE(cell(1, design::LedgerField::Padding)
                    .data(Qt::ToolTipRole)
                    .toString()
                    .startsWith("conv, Padding: 99.50\n"));
}

TEST_F(LedgerShown, ExportsWhatItShows) {
    QTemporaryDir folder;
    for (const QString& suffix : LedgerView::exportFormats())
        ASSERT_TRUE(view.exportTo(folder.filePath("ledger." + suffix))) << suffix.toStdString();
    EXPECT_GT(QImage(folder.filePath("ledger.png")).width(), 400);
    const QStringList csv = view.toCsv().split('\n');
    EXPECT_EQ(csv.size(), 8);
    EXPECT_TRUE(csv[0].startsWith("\"Layer\",\"What\",\"Unit\",\"Bound by\",\"Cycles\","));
    EXPECT_TRUE(csv[2].startsWith("\"conv\",\"call\",\"Conv 8×8\",\"memory\",\"2510\","));
    EXPECT_TRUE(csv[6].startsWith("\"total\",\"\",\"\",\"memory\",\"2808\",\"100.00\","))
        << csv[6].toStdString();
    EXPECT_TRUE(view.toMarkdown().startsWith("| Layer | What | Unit |"));
    for (const QString& text : {view.toText(), view.toCsv(), view.toMarkdown()})
        EXPECT_TRUE(LedgerView::isText(text.toStdString())) << text.toStdString();
    for (const char* const other : {"", "ledgers\n", "\"Layer\",\"Price\"\n", "| Layer |\n"})
        EXPECT_FALSE(LedgerView::isText(other)) << other;
}

TEST_F(LedgerShown, FollowsTheDesignThatIsShown) {
    view.setSnapshot(showing(nullptr));
    EXPECT_EQ(view.toText().toStdString(),
              "ledger\nNo design yet. Where its clocks go is said here when extraction has found "
              "one.\nshowing 0 of 0 layers and transfers\nno steps\n");
    auto missing = std::make_shared<Ledger>();
    missing->missing = "nobody builds it";
    view.setSnapshot(showing(missing));
    EXPECT_EQ(view.summaryText(), "There is no ledger of this design: nobody builds it");
    EXPECT_EQ(view.model()->rowCount(), 0);
    view.setSnapshot(showing(handLedger()));
    EXPECT_EQ(view.model()->rowCount(), 6);
    EXPECT_GT(view.grab().width(), 0);
}

TEST_F(LedgerShown, IsPaintedInBothThemes) {
    auto* application = static_cast<QApplication*>(QCoreApplication::instance());
    const QString folder = QString::fromStdString(buildFolder() + "/pictures");
    ASSERT_TRUE(QDir().mkpath(folder));
    selection.select(LayerName{"conv"});
    QImage pictures[2];
    for (const bool dark : {false, true}) {
        applyTheme(*application, dark ? widgets::darkTheme() : widgets::lightTheme());
        QCoreApplication::processEvents();
        pictures[dark ? 1 : 0] = view.grab().toImage();
        ASSERT_TRUE(pictures[dark ? 1 : 0].save(folder +
                                                (dark ? "/ledger_dark.png" : "/ledger_light.png")));
    }
    applyTheme(*application, widgets::lightTheme());
    EXPECT_GT(qGray(pictures[0].pixel(600, 690)), 200);
    EXPECT_LT(qGray(pictures[1].pixel(600, 690)), 60);
}

namespace {

/// Some of its rows, with other clocks; none now and then.
std::shared_ptr<Ledger> drawnLedger(SplitMix64& random) {
    auto ledger = handLedger();
    ledger->layers.clear();
    for (std::int64_t k = random.range(0, 9); k > 0; --k) {
        ledger->layers.push_back(ledger->steps[static_cast<std::size_t>(random.range(0, 4))]);
        ledger->layers.back().clocks.drain = random.range(1, 500);
    }
    ledger->resources.resize(static_cast<std::size_t>(random.range(0, 4)));
    if (random.range(0, 9) == 0)
        ledger->missing = "nothing";
    return ledger;
}

void expectSorted(const widgets::LedgerFilter& filter) {
    const auto cyclesAt = [&](int row) {
        return filter.index(row, static_cast<int>(design::LedgerField::Cycles))
            .data(LedgerModel::SortRole)
            .toLongLong();
    };
    EXPECT_EQ(filter.index(filter.rowCount() - 1, 0).data().toString(), "total");
    for (int row = 1; row < filter.rowCount() - 1; ++row)
        EXPECT_GE(cyclesAt(row - 1), cyclesAt(row));
}

} // namespace

/// Rows come, go and change in any order; the models say exactly what they do.
TEST(LedgerModels, KeepTheirPromisesUnderRandomLedgers) {
    LedgerModel model;
    ResourceModel resources;
    widgets::LedgerFilter filter;
    filter.setSourceModel(&model);
    filter.sort(static_cast<int>(design::LedgerField::Cycles), Qt::DescendingOrder);
    const auto fatal = QAbstractItemModelTester::FailureReportingMode::Fatal;
    const QAbstractItemModelTester tester(&model, fatal);
    const QAbstractItemModelTester filterTester(&filter, fatal);
    const QAbstractItemModelTester resourceTester(&resources, fatal);
    QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
    SplitMix64 random(5);
    for (int round = 0; round < 200; ++round) {
        const auto ledger = drawnLedger(random);
        const auto which =
            random.range(0, 3) == 0 ? design::LedgerRows::Steps : design::LedgerRows::Layers;
        const bool shown = random.range(0, 9) > 0;
        model.setLedger(shown ? ledger : nullptr, which);
        resources.setLedger(ledger);
        EXPECT_EQ(resources.rowCount(), static_cast<int>(ledger->resources.size()));
        const bool rows = shown && ledger->missing.empty();
        ASSERT_EQ(model.rowCount(), rows ? static_cast<int>(ledger->rows(which).size()) + 1 : 0);
        if (rows)
            expectSorted(filter);
    }
    EXPECT_TRUE(resets.isEmpty());
}

} // namespace marquetry::test
