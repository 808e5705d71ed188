// The Compare view: which designs it offers and asks for, what it says of two made by hand, and
// that its models keep their promises.
#include "engine/design/compare.h"
#include "engine/support/rng.h"
#include "tests/support/places.h"
#include "tests/support/waits.h"
#include "widgets/compare/compare_view.h"
#include "widgets/compare/comparison_filter.h"
#include "widgets/compare/gantt_pair.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

#include <gtest/gtest.h>

namespace marquetry::test {

using design::ComparisonRows;
using session::Snapshot;
using widgets::CompareChoices;
using widgets::CompareView;
using widgets::ComparisonModel;

namespace {

struct MadeDesign {
    std::shared_ptr<design::Design> design = std::make_shared<design::Design>();
    std::shared_ptr<design::Ledger> ledger = std::make_shared<design::Ledger>();
};

/// One unit of `rows` rows runs the layers one after another.
MadeDesign made(std::int64_t rows, const std::vector<std::pair<std::string, int>>& layers) {
    MadeDesign all;
    design::Design& design = *all.design;
    design.program = "small";
    design.device = "xc7z020";
    design.clockMhz = 100;
    design.macs = 1000;
    design::DesignUnit unit;
    unit.id = design::UnitId{0};
    unit.name = "Mv 8×" + std::to_string(rows);
    unit.term = "Mv";
    unit.parallelism = rows;
    unit.multipliers = unit.lanes * rows;
    unit.resources.dsp = static_cast<double>(rows);
    for (const auto& [name, cycles] : layers) {
        design::DesignCall call;
        call.id = design::CallId{design.calls.size()};
        call.layer = name;
        call.unit = unit.id;
        call.cycles = cycles;
        call.start = design.cycles;
        design.cycles += cycles;
        unit.callSites.push_back(call.id);
        design.calls.push_back(call);
        design::LedgerRow row;
        row.name = name;
        row.unit = unit.id;
        row.unitName = unit.name;
        row.clocks.taking = cycles;
        all.ledger->total += row.clocks;
        all.ledger->layers.push_back(row);
    }
    design.resources = unit.resources;
    design.units.push_back(unit);
    all.ledger->program = design.program;
    all.ledger->cycles = design.cycles;
    all.ledger->resources = {{"DSP", unit.resources.dsp, 16, 220, {}}, {"RAMB36", 0, 140, 140, {}}};
    return all;
}

design::DesignPoint pointOf(const design::Design& design) {
    design::DesignPoint point;
    point.cycles = design.cycles;
    point.resources = design.resources;
    point.onFront = true;
    point.label = design.units.front().name;
    return point;
}

std::shared_ptr<Snapshot> showing(const MadeDesign& shown,
                                  const std::vector<MadeDesign>& front = {}) {
    auto snapshot = std::make_shared<Snapshot>();
    snapshot->file = "small.mq";
    snapshot->design = shown.design;
    snapshot->ledger = shown.ledger;
    std::vector<design::DesignPoint> points;
    for (const MadeDesign& each : front)
        points.push_back(pointOf(*each.design));
    snapshot->points = std::move(points);
    return snapshot;
}

std::shared_ptr<Snapshot> answering(const Snapshot& asked, const MadeDesign& found) {
    auto snapshot = std::make_shared<Snapshot>(asked);
    const design::DesignPoint point = pointOf(*found.design);
    snapshot->beside = session::BesideDesign{{point.cycles, point.frames, point.resources,
                                              point.label, point.lanes, point.groupedChannels},
                                             false,
                                             found.design,
                                             found.ledger,
                                             {}};
    return snapshot;
}

class CompareShown : public ::testing::Test {
protected:
    void SetUp() override {
        view.resize(1000, 600);
        view.show();
        ASSERT_TRUE(waitForExposed(&view));
    }

    void choose(const QString& text) {
        const int at = view.choices()->findText(text, Qt::MatchContains);
        ASSERT_GE(at, 0) << text.toStdString();
        view.choices()->setCurrentIndex(at);
        Q_EMIT view.choices()->activated(at);
    }

    QString textAt(ComparisonRows rows, int row, const char* title) const {
        const int column = static_cast<int>(view.model(rows)->titles().indexOf(QString(title)));
        return view.table(rows)->model()->index(row, column).data().toString();
    }

    static std::string plain(QString text) {
        return text.replace(QChar(0x202F), u' ').toStdString();
    }

    MadeDesign quick = made(16, {{"a", 1000}, {"b", 500}});
    MadeDesign slow = made(4, {{"a", 4000}, {"b", 500}});
    MadeDesign least = made(1, {{"a", 16000}, {"c", 2000}});
    widgets::SelectionModel selection;
    CompareView view{&selection};
};

} // namespace

TEST_F(CompareShown, SaysWhatIsMissing) {
    EXPECT_EQ(view.wordsOfA(), "A: there is no design yet");
    view.setSnapshot(showing(quick));
    EXPECT_EQ(plain(view.wordsOfA()),
              "A, shown now: 1 500 cycles, 16 DSP, 0 RAMB36 on xc7z020 at 100 MHz, within 16 of "
              "220 DSP");
    EXPECT_EQ(view.wordsOfB(), "B: none is chosen");
    EXPECT_EQ(view.noteText(), "Choose above which design to compare with.");
    EXPECT_FALSE(view.choices()->isEnabled());
    EXPECT_EQ(view.model(ComparisonRows::Figures)->rowCount(), 0);
}

TEST_F(CompareShown, ComparesWithWhatWasShownBefore) {
    view.setSnapshot(showing(slow, {quick, slow}));
    view.setSnapshot(showing(quick, {quick, slow}));
    ASSERT_NE(view.comparison(), nullptr);
    EXPECT_EQ(plain(view.wordsOfB()),
              "B, shown before: 4 500 cycles, 4 DSP, 0 RAMB36 on xc7z020 at 100 MHz, within 16 of "
              "220 DSP");
    EXPECT_EQ(view.noteText(), "");
    EXPECT_EQ(textAt(ComparisonRows::Figures, 0, "Figure"), "Cycles");
    EXPECT_EQ(plain(textAt(ComparisonRows::Figures, 0, "B − A")), "+3 000");
    EXPECT_EQ(textAt(ComparisonRows::Figures, 0, "B ÷ A"), "3.00");
    EXPECT_EQ(textAt(ComparisonRows::Figures, 0, "Better"), "A");
    EXPECT_EQ(textAt(ComparisonRows::Layers, 0, "Better"), "A");
    EXPECT_EQ(textAt(ComparisonRows::Layers, 1, "B − A"), "0");
    EXPECT_EQ(textAt(ComparisonRows::Units, 0, "In"), "only A");
    EXPECT_EQ(textAt(ComparisonRows::Units, 1, "In"), "only B");
    EXPECT_EQ(textAt(ComparisonRows::Units, 1, "Calls A"), "–");
    EXPECT_EQ(view.gantt().scale(), 4500);
    for (const double cycle : {0.0, 1500.0, 4500.0})
        EXPECT_EQ(view.gantt().ofA().view().x(cycle), view.gantt().ofB().view().x(cycle)) << cycle;
}

TEST_F(CompareShown, FollowsTheDesignThatIsShown) {
    view.setSnapshot(showing(quick, {quick, slow}));
    view.keepShown();
    EXPECT_EQ(view.comparison()->figures.front().value.difference(), 0);
    view.setSnapshot(showing(slow, {quick, slow}));
    EXPECT_EQ(view.comparison()->figures.front().value.difference(), -3000);
    EXPECT_TRUE(view.wordsOfB().startsWith(u"B, kept: "));
    view.setSnapshot(showing(least, {least}));
    EXPECT_EQ(view.comparison()->figures.front().value.difference(), 1500 - 18000);
    EXPECT_TRUE(view.noteText().startsWith(u"B is not among the designs found now"));
    view.setSnapshot(showing({nullptr, nullptr}));
    EXPECT_EQ(view.comparison(), nullptr);
    EXPECT_TRUE(view.noteText().startsWith(u"When a design is found"));
}

TEST_F(CompareShown, AsksForTheDesignOfAPoint) {
    const auto snapshot = showing(quick, {quick, slow, least});
    view.setSnapshot(snapshot);
    QSignalSpy asked(&view, &CompareView::besideRequested);
    choose(QStringLiteral("4 DSP"));
    ASSERT_EQ(asked.count(), 1);
    EXPECT_EQ(asked[0][0].value<design::DesignPoint>().cycles, 4500);
    EXPECT_EQ(view.noteText(), "Looking for design B …");
    view.setSnapshot(answering(*snapshot, least));
    EXPECT_EQ(view.comparison(), nullptr) << "that is the answer to another question";
    view.setSnapshot(answering(*snapshot, slow));
    ASSERT_NE(view.comparison(), nullptr);
    EXPECT_EQ(view.comparison()->figures.front().value.b, 4500);
    EXPECT_TRUE(view.wordsOfB().startsWith(u"B, of the front: "));
    auto none = answering(*snapshot, least);
    none->beside->design = nullptr;
    none->beside->problem = {makeError("gone", "it is gone")};
    view.compareWith(pointOf(*least.design));
    view.setSnapshot(none);
    EXPECT_EQ(view.noteText(), "✕ There is no comparison: it is gone");
}

TEST_F(CompareShown, SaysWhyADesignIsNotLookedFor) {
    const auto snapshot = showing(quick, {quick, slow, least});
    view.setSnapshot(snapshot);
    choose(QStringLiteral("4 DSP"));
    view.refuse({makeError("running", "the e-graph is growing")});
    EXPECT_EQ(view.noteText(), "✕ There is no comparison: the e-graph is growing");
    QSignalSpy asked(&view, &CompareView::besideRequested);
    choose(QStringLiteral("4 DSP"));
    EXPECT_EQ(asked.count(), 1);
    auto running = answering(*snapshot, slow);
    running->beside->running = true;
    running->beside->design = nullptr;
    view.setSnapshot(running);
    EXPECT_EQ(view.noteText(), "Looking for design B …");
    view.setSnapshot(snapshot);
    EXPECT_EQ(view.noteText(),
              "✕ There is no comparison: the search for it has ended; choose it again");
}

TEST_F(CompareShown, AnotherProgramBeginsAnew) {
    view.setSnapshot(showing(slow, {quick, slow}));
    view.keepShown();
    view.setSnapshot(showing(quick, {quick, slow}));
    ASSERT_NE(view.comparison(), nullptr);
    const auto other = std::make_shared<Snapshot>(*showing(least));
    other->file = "other.mq";
    view.setSnapshot(other);
    EXPECT_EQ(view.comparison(), nullptr);
    EXPECT_EQ(view.wordsOfB(), "B: none is chosen");
    EXPECT_EQ(view.choices()->count(), 1);
}

// While the view is hidden nothing is compared, and the words must not be those of what is gone.
TEST_F(CompareShown, AnotherProgramBeginsAnewWhileHidden) {
    const MadeDesign first = made(2, {{"a", 40}});
    const MadeDesign second = made(4, {{"a", 20}});
    view.setSnapshot(showing(first));
    view.setSnapshot(showing(second));
    ASSERT_TRUE(view.comparison());
    view.hide();
    const MadeDesign other = made(8, {{"b", 10}});
    auto snapshot = showing(other, {other});
    snapshot->file = "other.mq";
    view.setSnapshot(snapshot);
    view.setSnapshot(std::make_shared<Snapshot>(*snapshot));
    EXPECT_FALSE(view.comparison());
    EXPECT_NE(view.noteText().indexOf("Choose above"), -1) << view.noteText().toStdString();
}

TEST_F(CompareShown, ARefusalEndsWithItsDesigns) {
    const MadeDesign first = made(2, {{"a", 40}});
    MadeDesign renamed = made(4, {{"a", 20}});
    renamed.design->program = "renamed";
    view.setSnapshot(showing(first));
    view.setSnapshot(showing(renamed));
    EXPECT_NE(view.noteText().indexOf("There is no comparison"), -1);
    MadeDesign better = made(8, {{"a", 10}});
    better.design->program = "renamed";
    view.setSnapshot(showing(better));
    EXPECT_TRUE(view.comparison());
    EXPECT_EQ(view.noteText().indexOf("There is no comparison"), -1)
        << view.noteText().toStdString();
}

TEST_F(CompareShown, LayersOfOneAloneAreSaidSo) {
    view.setSnapshot(showing(least, {least, quick}));
    view.setSnapshot(showing(quick, {least, quick}));
    const auto in = [&](int row) { return textAt(ComparisonRows::Layers, row, "In"); };
    ASSERT_EQ(view.model(ComparisonRows::Layers)->rowCount(), 3);
    EXPECT_EQ(in(0), "both");
    EXPECT_EQ(in(1) + u' ' + in(2), "only B only A");
    EXPECT_EQ(textAt(ComparisonRows::Layers, 1, "B − A"), "–");
}

TEST_F(CompareShown, ColoursAndSignsAgree) {
    view.setSnapshot(showing(slow, {quick, slow}));
    view.setSnapshot(showing(quick, {quick, slow}));
    const ComparisonModel* model = view.model(ComparisonRows::Figures);
    const int difference = static_cast<int>(model->titles().indexOf(QStringLiteral("B − A")));
    const widgets::Theme& theme = widgets::themeOf(view.palette());
    for (int row = 0; row < model->rowCount(); ++row) {
        const QString better = textAt(ComparisonRows::Figures, row, "Better");
        const QVariant colour = model->index(row, difference).data(Qt::ForegroundRole);
        EXPECT_EQ(colour.isValid(), !better.isEmpty()) << row;
        const auto role = better == u"A" ? widgets::Role::InkOfA : widgets::Role::InkOfB;
        EXPECT_TRUE(!colour.isValid() || colour.value<QColor>() == theme[role]) << row;
        EXPECT_FALSE(model->index(row, 0).data(Qt::ToolTipRole).toString().isEmpty());
    }
}

TEST_F(CompareShown, FiltersByTextAndDifference) {
    view.setSnapshot(showing(slow, {quick, slow}));
    view.setSnapshot(showing(quick, {quick, slow}));
    const auto rows = [&] { return view.table(ComparisonRows::Layers)->model()->rowCount(); };
    EXPECT_EQ(rows(), 2);
    view.findChild<QCheckBox*>()->setChecked(true);
    EXPECT_EQ(rows(), 2) << "the units differ";
    auto* const filter = view.findChild<QLineEdit*>();
    filter->setText(QStringLiteral("8×16"));
    EXPECT_EQ(rows(), 2);
    filter->setText(QStringLiteral("nothing is called so"));
    EXPECT_EQ(rows(), 0);
    filter->clear();
    const auto figures = [&] { return view.table(ComparisonRows::Figures)->model()->rowCount(); };
    const int different = figures();
    view.findChild<QCheckBox*>()->setChecked(false);
    EXPECT_LT(different, figures());
}

TEST_F(CompareShown, SelectsLayersInBothDesigns) {
    view.setSnapshot(showing(slow, {quick, slow}));
    view.setSnapshot(showing(quick, {quick, slow}));
    view.pages()->setCurrentIndex(1);
    QTableView* const table = view.table(ComparisonRows::Layers);
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {},
                      table->visualRect(table->model()->index(1, 0)).center());
    ASSERT_EQ(selection.linked().layers.size(), 1U);
    EXPECT_EQ(selection.linked().layers.front(), "b");
}

TEST_F(CompareShown, ExportsWhatItShows) {
    view.setSnapshot(showing(slow, {quick, slow}));
    view.setSnapshot(showing(quick, {quick, slow}));
    QTemporaryDir folder;
    for (const QString& suffix : CompareView::exportFormats())
        ASSERT_TRUE(view.exportTo(folder.filePath("compare." + suffix))) << suffix.toStdString();
    EXPECT_GT(QImage(folder.filePath(QStringLiteral("compare.png"))).height(), 150);
    EXPECT_TRUE(view.toCsv().startsWith(u"\"Figure\",\"In\",\"A\",\"B\",\"B − A\""));
    EXPECT_TRUE(view.toCsv().contains(u"\"Cycles\",\"cycles\",\"1500\",\"4500\",\"3000\",\"3\""));
    view.pages()->setCurrentIndex(1);
    EXPECT_TRUE(view.toCsv().startsWith(u"\"Layer\""));
    EXPECT_TRUE(plain(view.toText()).starts_with("compare\nA, shown now: 1 500 cycles"));
    EXPECT_TRUE(view.toText().contains(u"Units") || view.toText().contains(u"only B"));
}

TEST_F(CompareShown, IsPaintedInBothThemes) {
    view.setSnapshot(showing(slow, {quick, slow}));
    view.setSnapshot(showing(quick, {quick, slow}));
    auto* application = static_cast<QApplication*>(QCoreApplication::instance());
    const QString folder = QString::fromStdString(buildFolder() + "/pictures");
    ASSERT_TRUE(QDir().mkpath(folder));
    QImage pictures[2];
    for (const bool dark : {false, true}) {
        applyTheme(*application, dark ? widgets::darkTheme() : widgets::lightTheme());
        QCoreApplication::processEvents();
        pictures[dark ? 1 : 0] = view.grab().toImage();
        ASSERT_TRUE(pictures[dark ? 1 : 0].save(
            folder + (dark ? "/compare_dark.png" : "/compare_light.png")));
    }
    applyTheme(*application, widgets::lightTheme());
    EXPECT_GT(qGray(pictures[0].pixel(980, 590)), 200);
    EXPECT_LT(qGray(pictures[1].pixel(980, 590)), 60);
}

TEST(ComparisonModels, KeepTheirPromises) {
    SplitMix64 random(5);
    for (const ComparisonRows rows :
         {ComparisonRows::Figures, ComparisonRows::Layers, ComparisonRows::Units}) {
        ComparisonModel model(rows);
        widgets::ComparisonFilter filter(&model);
        const QAbstractItemModelTester ofModel(
            &model, QAbstractItemModelTester::FailureReportingMode::Fatal);
        const QAbstractItemModelTester ofFilter(
            &filter, QAbstractItemModelTester::FailureReportingMode::Fatal);
        filter.sort(2, Qt::DescendingOrder);
        for (int round = 0; round < 20; ++round) {
            const auto layers = [&] {
                std::vector<std::pair<std::string, int>> drawn{{"always", 7}};
                for (const char* const name : {"a", "b", "c"})
                    if (random.range(0, 1) == 1)
                        drawn.emplace_back(name, static_cast<int>(random.range(1, 500)));
                return drawn;
            };
            const MadeDesign a = made(random.range(1, 3), layers());
            const MadeDesign b = made(random.range(1, 3), layers());
            const auto compared =
                design::compareDesigns({"A", *a.design, *a.ledger}, {"B", *b.design, *b.ledger});
            ASSERT_TRUE(compared);
            const bool shown = random.range(0, 4) > 0;
            model.setComparison(shown ? std::make_shared<const design::Comparison>(*compared)
                                      : nullptr);
            filter.setOnlyDifferent(random.range(0, 1) == 1);
            EXPECT_EQ(model.rowCount(),
                      shown ? static_cast<int>(comparisonRowCount(*compared, rows)) : 0);
        }
    }
}

} // namespace marquetry::test
