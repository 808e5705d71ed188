// Extraction on hundreds of random small programs, objective by objective, against CBC and against
// every choice of the calls whose weights are external. What was counted is printed.
#include "tests/extract/objective_comparison.h"
#include "tests/extract/weight_subsets.h"

#include <gtest/gtest.h>

#include <iostream>

namespace marquetry {

using test::drawSmallProgram;
using test::ObjectiveTally;
using test::PriceOf;

namespace {

constexpr std::uint64_t kPrograms = 360;

/// Few of them are too hard for CBC.
void expectMany(const ObjectiveTally& tally) {
    std::cout << tally.compared << " programs, " << tally.feasible << " with a design, "
              << tally.undecided << " not decided, " << tally.asked << " questions to CBC, "
              << tally.points << " points\n";
    EXPECT_GE(tally.compared - tally.undecided, 300);
    EXPECT_GT(tally.feasible, 200);
}

} // namespace

TEST(ManyPrograms, AreAsFastAsCbcMakesThem) {
    ObjectiveTally tally;
    for (std::uint64_t seed = 0; seed < kPrograms; ++seed)
        compareLatency(drawSmallProgram(seed, PriceOf::Hardware), tally);
    expectMany(tally);
}

TEST(ManyPrograms, AreAsFastAsCbcMakesThemAtTheSearchsPrice) {
    ObjectiveTally tally;
    for (std::uint64_t seed = 0; seed < kPrograms; ++seed)
        compareLatency(drawSmallProgram(seed, PriceOf::Search), tally);
    expectMany(tally);
}

TEST(ManyPrograms, AreAsSmallAsCbcMakesThem) {
    ObjectiveTally tally;
    for (std::uint64_t seed = 0; seed < kPrograms; ++seed)
        compareArea(drawSmallProgram(seed, PriceOf::Hardware), seed, tally);
    expectMany(tally);
}

TEST(ManyPrograms, HaveTheFrontThatCbcGivesThem) {
    ObjectiveTally tally;
    for (std::uint64_t seed = 0; seed < kPrograms; ++seed)
        compareFront(drawSmallProgram(seed, PriceOf::Hardware), tally);
    expectMany(tally);
    EXPECT_GT(tally.points, 900);
}

TEST(ManyPrograms, HaveRunsOfFramesAsFastAsCbcMakesThem) {
    ObjectiveTally tally;
    for (std::uint64_t seed = 0; seed < kPrograms; ++seed)
        compareThroughput(drawSmallProgram(seed, PriceOf::Hardware), tally);
    expectMany(tally);
    EXPECT_GT(tally.points, 900);
}

TEST(ManyPrograms, KeepTheWeightsThatPayOnTheChip) {
    test::WeightTally tally;
    for (std::uint64_t seed = 0; seed < 6 * kPrograms; ++seed)
        compareWeights(drawSmallProgram(seed, PriceOf::Search), seed, tally);
    std::cout << tally.compared << " programs, " << tally.feasible << " with a design, "
              << tally.reading << " of them with external weights, " << tally.fastest
              << " as fast as any of " << tally.replays << " replays, at worst " << tally.worst
              << " times as long\n";
    EXPECT_GT(tally.feasible, 1000);
    EXPECT_GT(tally.reading, 100);
    EXPECT_GT(tally.fastest, tally.feasible * 9 / 10);
}

} // namespace marquetry
