// The table of synthesised examples: its text, its page, what is predicted today, and one row anew.
#include "tests/calibration/design_table.h"
#include "tests/support/places.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/text_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace marquetry::test {
namespace {

const std::string kPath = "/tests/data/designs/synthesis.csv";

const std::vector<DesignRow>& table() {
    static const std::vector<DesignRow> kRows = readDesignTable(sourceFolder() + kPath);
    return kRows;
}

const DesignRow& rowOf(const DesignExample& example) {
    const auto row =
        std::ranges::find_if(table(), [&](const DesignRow& one) { return one.is(example); });
    static const DesignRow none{};
    return row == table().end() ? none : *row;
}

TEST(DesignTable, HasARowOfEachExample) {
    ASSERT_FALSE(table().empty());
    ASSERT_EQ(table().size(), designExamples().size());
    for (std::size_t k = 0; k < table().size(); ++k)
        EXPECT_TRUE(table()[k].is(designExamples()[k])) << table()[k].file;
    EXPECT_EQ(designTableText(table()), *readText(sourceFolder() + kPath));
}

TEST(DesignTable, IsWhatThePageShows) {
    const auto page = readText(sourceFolder() + "/docs/calibration.md");
    ASSERT_TRUE(page.has_value());
    EXPECT_EQ(withDesignTable(*page, table()), *page) << "run tests/bench/design_table … page";
}

/// What waits for external memory waits for one that keeps to its figures, but for where in a clock
/// they fall.
TEST(DesignTable, SimulationTakesTheCyclesPredicted) {
    for (const DesignExample& example : designExamples()) {
        const SynthesisedDesign& design = rowOf(example).design;
        const double slack = example.external ? 0.02 * design.made.cycles : 0;
        EXPECT_NEAR(design.predicted.cycles, design.made.cycles, slack) << example.file;
    }
}

TEST(DesignTable, PricesKeepTheirGoals) {
    for (const auto amount : {&device::Resources::lut, &device::Resources::ff})
        for (const bool heldOut : {false, true}) {
            const DesignRatios ratios = designRatios(table(), amount, heldOut);
            EXPECT_GE(ratios.rows, 4U);
            EXPECT_EQ(ratios.close, ratios.rows);
            EXPECT_NEAR(ratios.median, 1, 0.05);
        }
}

/// Synthesis leaves out what is zero in all words of weights, and adds nothing.
TEST(DesignTable, SynthesisTakesNoMoreBlocksThanPredicted) {
    for (const DesignRow& row : table()) {
        EXPECT_LE(row.design.made.area.dsp, row.design.predicted.area.dsp) << row.file;
        EXPECT_LE(row.design.made.area.bram, row.design.predicted.area.bram) << row.file;
    }
}

TEST(DesignTable, PredictsQuickExamplesAsTheProgramDoes) {
    std::size_t quick = 0;
    for (const DesignExample& example : designExamples()) {
        if (!example.quick)
            continue;
        ++quick;
        SCOPED_TRACE(example.file + " " + example.options);
        const auto now = predictedFigures(commandOf(example, program(), sourceFolder()));
        ASSERT_TRUE(now.has_value());
        const DesignFigures& stated = rowOf(example).design.predicted;
        EXPECT_EQ(now->cycles, stated.cycles);
        EXPECT_EQ(now->area.dsp, stated.area.dsp);
        EXPECT_EQ(now->area.bram, stated.area.bram);
        EXPECT_NEAR(now->area.lut, stated.area.lut, 0.01);
        EXPECT_NEAR(now->area.ff, stated.area.ff, 0.01);
    }
    EXPECT_GE(quick, 4U);
}

TEST(DesignTable, SynthesisGivesWhatTheSmallestRowSays) {
    const DesignExample& example = designExamples().front();
    const TemporaryFolder folder;
    const auto now =
        synthesiseDesign(commandOf(example, program(), sourceFolder()), folder.string());
    ASSERT_TRUE(now.has_value()) << format(now.error());
    const SynthesisedDesign& stated = rowOf(example).design;
    EXPECT_EQ(now->made.cycles, stated.made.cycles);
    EXPECT_EQ(now->made.area.dsp, stated.made.area.dsp);
    EXPECT_EQ(now->made.area.bram, stated.made.area.bram);
    // Names decide ties inside the mapper.
    EXPECT_NEAR(now->made.area.lut, stated.made.area.lut, 0.02 * stated.made.area.lut);
    EXPECT_NEAR(now->made.area.ff, stated.made.area.ff, 1);
}

DesignRow rowWith(const DesignExample& example, double predicted, double made) {
    DesignRow row{example.file, example.options, {}};
    row.design.predicted = {12345, {1, predicted, predicted, 1}};
    row.design.made = {12345, {1, made, made, 1.5}};
    row.design.pathPs = 3456;
    return row;
}

TEST(DesignTable, IsWrittenInTheOrderOfTheExamples) {
    const DesignRow first = rowWith(designExamples()[0], 90, 100);
    const DesignRow second = rowWith(designExamples()[1], 2400, 2000);
    const std::string text = designTableText({second, first});
    EXPECT_EQ(text, designTableText({first, second}));
    EXPECT_THAT(text, ::testing::HasSubstr(",12345,12345,90,100,90,100,1,1.5,1,1,3456\n"));
    EXPECT_THAT(
        designMarkdown({second, first}),
        ::testing::HasSubstr("| 12 345 / 12 345 | 1 / 1 | 1 / 1.5 | 2 400 / 2 000 | 1.20 |"));
}

TEST(DesignTable, SumsUpItsRatios) {
    std::vector<const DesignExample*> fitted;
    for (const DesignExample& example : designExamples())
        if (!example.heldOut)
            fitted.push_back(&example);
    const DesignRatios ratios =
        designRatios({rowWith(*fitted[0], 100, 100), rowWith(*fitted[1], 130, 100),
                      rowWith(*fitted[2], 90, 100)},
                     &device::Resources::lut, false);
    EXPECT_EQ(ratios.rows, 3U);
    EXPECT_EQ(ratios.close, 2U);
    EXPECT_DOUBLE_EQ(ratios.median, 1);
    EXPECT_DOUBLE_EQ(ratios.least, 0.9);
    EXPECT_DOUBLE_EQ(ratios.greatest, 1.3);
}

TEST(DesignTable, CountsCells) {
    const device::Resources area = countedCells(
        "\n     LUT2   3\n     INV   7\n     SRL16E   2\n     RAM32M   1\n     FDRE   5\n"
        "     RAMB18E1   1\n     RAMB36E1   2\n     DSP48E1   4\n");
    EXPECT_EQ(area, (device::Resources{4, 9, 5, 2.5}));
}

} // namespace
} // namespace marquetry::test
