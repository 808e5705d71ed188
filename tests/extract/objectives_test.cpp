// Extraction under each objective against formulations that share no search with it;
// objectives_long has many more programs.
#include "tests/extract/objective_comparison.h"
#include "tests/extract/weight_subsets.h"

#include "tests/extract/params_within.h"
#include "tests/support/spaces.h"

#include <gtest/gtest.h>

namespace marquetry {

using test::drawSmallProgram;
using test::ObjectiveTally;
using test::PriceOf;

TEST(Objectives, AgreeWithCbc) {
    ObjectiveTally latency, area, front, throughput;
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
        const test::SmallProgram program = drawSmallProgram(seed, PriceOf::Hardware);
        compareLatency(program, latency);
        compareArea(program, seed, area);
        compareFront(program, front);
        compareThroughput(program, throughput);
    }
    for (const ObjectiveTally& tally : {latency, area, front, throughput}) {
        EXPECT_EQ(tally.compared, 12);
        EXPECT_GT(tally.feasible, 6);
    }
    EXPECT_GT(front.points, 20);
    EXPECT_GT(throughput.points, 20);
}

TEST(Objectives, AgreeWithEveryChoiceOfExternalWeights) {
    test::WeightTally tally;
    for (std::uint64_t seed = 0; seed < 100; ++seed)
        compareWeights(drawSmallProgram(seed, PriceOf::Search), seed, tally);
    EXPECT_GT(tally.feasible, 50);
    EXPECT_GT(tally.reading, 5);
    EXPECT_GT(tally.fastest, tally.feasible * 9 / 10);
}

// One channel gives one product per row, and those of two rows share no block.
TEST(Objectives, HaveDesignsForAChannelAloneWhereRowsShareBlocks) {
    const rules::Lowered lowered = test::spaceOf("design grey {\n  input x : i8[2, 3, 1] = zeros;\n"
                                                 "  weight w : i8[6, 1, 1, 1] = zeros;\n"
                                                 "  output y = conv(x, w);\n}\n",
                                                 design::CostModel::Cycles, {});
    const auto answer =
        extract::extract(lowered, test::paramsWithin(100, design::CostModel::Cycles, "xc7k160t"));
    ASSERT_TRUE(answer.has_value());
    ASSERT_TRUE(answer->design);
    EXPECT_EQ(answer->design->units[0].lanes, 1);
    EXPECT_GT(answer->design->units[0].parallelism, 1);
}

} // namespace marquetry
