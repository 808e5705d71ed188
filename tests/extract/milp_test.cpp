// The pool search against CBC on the same e-graphs.
#include "tests/extract/milp_comparison.h"
#include "tests/support/cases.h"
#include "tests/support/programs.h"
#include "tests/support/spaces.h"

#include "engine/device/device_file.h"
#include "engine/extract/milp.h"

#include <gtest/gtest.h>

namespace marquetry {

using design::CostModel;
using test::compareWithMilp;
using test::describe;
using test::deviceOf;
using test::drawGroups;
using test::drawPin;
using test::kModels;
using test::spaceOf;
using test::Tally;

namespace {

/// VGG's first layers, up to three, under all costs and both budgets, with words that keep the
/// space small enough for CBC.
void compareFirstLayers(bool pinned) {
    for (int layers = 1; layers <= test::cases(2, 3); ++layers)
        for (CostModel model : kModels)
            for (double dsp : {576.0, 1518.0}) {
                Tally tally;
                const rules::Lowered lowered = spaceOf(test::vggText(layers), model, {}, 64);
                extract::ProblemParams params{model, deviceOf(0), dsp, true, {}};
                SplitMix64 rng(41'000 + static_cast<std::uint64_t>(layers));
                if (pinned)
                    params.pins.push_back(drawPin(lowered, rng));
                params.mostSpan = 2;
                const std::string what = std::to_string(layers) + " layers " + describe(0, params);
                compareWithMilp(lowered, params, what, tally);
            }
}

} // namespace

// What a pass takes, and how many of its rows there are at once, is not chosen.
TEST(Milp, AgreesWithThePoolSearchWherePassesTakeBlocks) {
    for (const std::string narrowed : {"shift: 5", "mul: 3, shift: 7"}) {
        const std::string text =
            "design residual {\n  input x : i8[2, 2, 16] = zeros;\n"
            "  weight w : i8[16, 1, 1, 16] = zeros;\n"
            "  let c = requant(conv(x, w), " +
            narrowed +
            ");\n"
            "  let p = maxpool(c, size: 2);\n  weight v : i8[16, 16] = zeros;\n"
            "  let m = requant(mv(v, flatten(p)), " +
            narrowed +
            ");\n"
            "  output sum = requant(add(m, flatten(p)), " +
            narrowed +
            ");\n"
            "  output other = p;\n}\n";
        const rules::Lowered lowered = spaceOf(text, CostModel::Cycles, {});
        Tally tally;
        for (const double dsp : {12, 20, 24, 28, 40, 48}) {
            const extract::ProblemParams params{CostModel::Cycles, deviceOf(0), dsp, true, {}};
            compareWithMilp(lowered, params, narrowed + " " + describe(0, params), tally);
        }
        EXPECT_GT(tally.feasible, 3);
    }
}

// extract_long_test has 40 more, and more words.
TEST(Milp, AgreesWithThePoolSearchOnRandomPrograms) {
    const Tally tally = test::compareRandomPrograms(0, 20, 2);
    EXPECT_GE(tally.compared, 60);
    EXPECT_GT(tally.feasible, 30);
}

// The lanes that write results are chosen, too.
TEST(Milp, AgreesWithThePoolSearchWhereResultsAreScaled) {
    Tally tally;
    const int first = test::cases(6, 0); // one of those before takes CBC longer than all others
    const int seeds = 20 - first;
    for (auto seed = static_cast<std::uint64_t>(first); seed < 20; ++seed) {
        SplitMix64 rng(63'000 + seed);
        const rules::Lowered lowered =
            spaceOf(test::scaledProgramText(seed), CostModel::Cycles, drawGroups(rng));
        extract::ProblemParams params{CostModel::Cycles,
                                      deviceOf(seed),
                                      static_cast<double>(rng.range(10, 200)),
                                      rng.range(0, 4) != 0,
                                      {}};
        params.mostSpan = 2;
        compareWithMilp(lowered, params, describe(seed, params), tally);
    }
    EXPECT_EQ(tally.compared, seeds);
    EXPECT_GT(tally.feasible, seeds / 2);
}

// extract_long_test has 100 more, and more words.
TEST(Milp, AgreesWithThePoolSearchUnderPins) {
    const Tally tally = test::comparePinnedPrograms(0, 50, 2);
    EXPECT_GE(tally.compared, 50);
    EXPECT_GT(tally.feasible, 12);
}

// Products of matrices, stencils and depth-wise convolutions, with and without pins.
TEST(Milp, AgreesWithThePoolSearchOnOtherSkeletons) {
    Tally tally;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        SplitMix64 rng(31'000 + seed);
        const auto without = drawGroups(rng);
        for (CostModel model : kModels) {
            const rules::Lowered lowered =
                spaceOf(test::otherSkeletonsText(1000 + seed), model, without);
            extract::ProblemParams params{
                model, deviceOf(seed), static_cast<double>(rng.range(4, 300)), true, {}};
            if (rng.range(0, 2) == 0)
                params.pins.push_back(drawPin(lowered, rng));
            compareWithMilp(lowered, params, describe(seed, params), tally);
        }
    }
    EXPECT_GE(tally.compared, 120);
    EXPECT_GT(tally.feasible, 50);
}

TEST(Milp, AgreesWithThePoolSearchOnVggsFirstLayers) {
    compareFirstLayers(false);
}

TEST(Milp, AgreesWithThePoolSearchOnVggsFirstLayersUnderAPin) {
    compareFirstLayers(true);
}

} // namespace marquetry
