// The Compare view: what it says of two designs made by hand, and that its models keep their
// promises.
#include "engine/design/compare.h"
#include "engine/support/rng.h"
#include "tests/support/places.h"
#include "tests/widgets/compare/compare_shown.h"
#include "widgets/compare/compare_view.h"
#include "widgets/compare/comparison_filter.h"
#include "widgets/compare/gantt_pair.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QCheckBox>
#include <QDir>
#include <QFile>
#include <QImage>
#include <QLineEdit>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

#include <gtest/gtest.h>

namespace marquetry::test {

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

TEST_F(CompareShown, ShowsBuffersAndWhereTheWeightsAre) {
    const auto add = [](MadeDesign& to, design::BufferKind kind, int words) {
        design::DesignBuffer buffer;
        buffer.name = "slot0";
        buffer.kind = kind;
        buffer.words = words;
        buffer.width = 8;
        to.design->buffers.push_back(buffer);
        to.ledger->layers.front().weights = design::LedgerWeights{
            kind == design::BufferKind::External, words, 8, "as the test says"};
    };
    add(quick, design::BufferKind::BlockRam, 64);
    add(slow, design::BufferKind::External, 96);
    view.setSnapshot(showing(slow, {quick, slow}));
    view.setSnapshot(showing(quick, {quick, slow}));
    view.pages()->setCurrentIndex(3);
    ASSERT_TRUE(view.table(ComparisonRows::Buffers)->isVisible());
    EXPECT_EQ(textAt(ComparisonRows::Buffers, 0, "Place A"), "block RAM");
    EXPECT_EQ(textAt(ComparisonRows::Buffers, 0, "Place B"), "external");
    EXPECT_EQ(textAt(ComparisonRows::Buffers, 0, "B − A"), "+256");
    EXPECT_TRUE(view.toCsv().startsWith(u"\"Buffer\""));
    EXPECT_EQ(textAt(ComparisonRows::Layers, 0, "Weights A"), "on chip");
    EXPECT_EQ(textAt(ComparisonRows::Layers, 0, "Weights B"), "external");
    EXPECT_EQ(textAt(ComparisonRows::Layers, 1, "Weights B"), "") << "it has none";
}

// What a layer takes of the whole changes with every other layer.
TEST_F(CompareShown, ALayerIsEqualWhateverItsShare) {
    const MadeDesign one = made(4, {{"a", 100}, {"b", 50}});
    const MadeDesign other = made(4, {{"a", 200}, {"b", 50}});
    view.setSnapshot(showing(other));
    view.setSnapshot(showing(one));
    view.findChild<QCheckBox*>()->setChecked(true);
    EXPECT_EQ(view.table(ComparisonRows::Layers)->model()->rowCount(), 1);
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
    for (const QString& suffix : CompareView::exportFormats())
        ASSERT_TRUE(view.exportTo(files.filePath("compare." + suffix))) << suffix.toStdString();
    EXPECT_GT(QImage(files.filePath(QStringLiteral("compare.png"))).height(),
              22 * view.model(ComparisonRows::Figures)->rowCount() + 150);
    for (const char* const suffix : {"csv", "md", "txt"}) {
        QFile text(files.filePath(QStringLiteral("compare.") + QLatin1String(suffix)));
        ASSERT_TRUE(text.open(QIODevice::ReadOnly));
        EXPECT_TRUE(CompareView::isText(text.readAll().toStdString())) << suffix;
    }
    EXPECT_FALSE(CompareView::isText("design a {}"));
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
    for (const ComparisonRows rows : design::kComparisonRows) {
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
