// The pool search against CBC on the same e-graphs.
#include "tests/support/programs.h"
#include "tests/support/spaces.h"

#include "engine/device/device_file.h"
#include "engine/extract/milp.h"

#include <gtest/gtest.h>

namespace marquetry {

using design::CostModel;
using test::drawGroups;
using test::drawPin;
using test::spaceOf;

namespace {

struct Tally {
    int compared = 0;
    int feasible = 0;
};

std::string describe(std::uint64_t seed, const extract::ProblemParams& params) {
    std::string text = "seed " + std::to_string(seed) + " " + toString(params.model) + " dsp " +
                       std::to_string(params.dspLimit);
    for (const design::Pin& pin : params.pins)
        text += " [" + toString(pin) + "]";
    return text;
}

void compare(const rules::Lowered& lowered, const extract::ProblemParams& params,
             const std::string& what, Tally& tally) {
    auto problem = extract::makeProblem(lowered, params, {});
    ASSERT_TRUE(problem.has_value()) << what << format(problem.error());
    (*problem)->pool.wholeFront = false;
    const extract::PoolResult pools = extract::searchPools((*problem)->pool, {});
    ASSERT_TRUE(pools.complete) << what;
    extract::MilpParams milp{milp::kInfinity, milp::kInfinity};
    if (!pools.front.empty())
        milp.known = pools.front.front().time;
    const auto solved = extract::solveMilp(**problem, params, milp, {});
    ASSERT_TRUE(solved.has_value()) << what;
    const auto outcome = solved->outcome;
    ASSERT_TRUE(outcome == milp::SolveStatus::Optimal || outcome == milp::SolveStatus::Infeasible)
        << what;
    ++tally.compared;
    EXPECT_EQ(outcome == milp::SolveStatus::Optimal, !pools.front.empty()) << what;
    if (pools.front.empty() || outcome != milp::SolveStatus::Optimal)
        return;
    ++tally.feasible;
    EXPECT_NEAR(pools.front.front().time, solved->time, 1e-4 * solved->time + 1e-3) << what;
    EXPECT_LE(solved->dsp, params.dspLimit + 1e-3) << what;
}

device::Device deviceOf(std::uint64_t seed) {
    return *device::findDevice(seed % 2 == 0 ? "arria10" : "xc7k160t");
}

constexpr CostModel kModels[] = {CostModel::Cycles, CostModel::Published, CostModel::PublishedOpen};

/// VGG's first one to three layers under all costs and both budgets.
void compareFirstLayers(bool pinned) {
    for (int layers = 1; layers <= 3; ++layers)
        for (CostModel model : kModels)
            for (double dsp : {576.0, 1518.0}) {
                Tally tally;
                const rules::Lowered lowered = spaceOf(test::vggText(layers), model, {}, 0);
                extract::ProblemParams params{model, deviceOf(0), dsp, true, {}};
                SplitMix64 rng(41'000 + static_cast<std::uint64_t>(layers));
                if (pinned)
                    params.pins.push_back(drawPin(lowered, rng));
                const std::string what = std::to_string(layers) + " layers " + describe(0, params);
                compare(lowered, params, what, tally);
            }
}

} // namespace

TEST(Milp, AgreesWithThePoolSearchOnRandomPrograms) {
    Tally tally;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        SplitMix64 rng(21'000 + seed);
        const auto without = drawGroups(rng);
        for (CostModel model : kModels) {
            const rules::Lowered lowered = spaceOf(test::meetingProgramText(seed), model, without);
            const extract::ProblemParams params{model,
                                                deviceOf(seed),
                                                static_cast<double>(rng.range(4, 400)),
                                                rng.range(0, 4) != 0,
                                                {}};
            compare(lowered, params, describe(seed, params), tally);
        }
    }
    RecordProperty("compared", tally.compared);
    EXPECT_GE(tally.compared, 180);
    EXPECT_GT(tally.feasible, 90);
}

// The lanes that write results are chosen, too.
TEST(Milp, AgreesWithThePoolSearchWhereResultsAreScaled) {
    Tally tally;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        SplitMix64 rng(63'000 + seed);
        const rules::Lowered lowered =
            spaceOf(test::scaledProgramText(seed), CostModel::Cycles, drawGroups(rng));
        const extract::ProblemParams params{CostModel::Cycles,
                                            deviceOf(seed),
                                            static_cast<double>(rng.range(10, 200)),
                                            rng.range(0, 4) != 0,
                                            {}};
        compare(lowered, params, describe(seed, params), tally);
    }
    EXPECT_EQ(tally.compared, 20);
    EXPECT_GT(tally.feasible, 10);
}

TEST(Milp, AgreesWithThePoolSearchUnderPins) {
    Tally tally;
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
        SplitMix64 rng(25'000 + seed);
        const auto without = drawGroups(rng);
        const CostModel model = kModels[seed % 3];
        const rules::Lowered lowered = spaceOf(test::meetingProgramText(seed), model, without);
        extract::ProblemParams params{
            model, deviceOf(seed), static_cast<double>(rng.range(30, 600)), true, {}};
        const std::int64_t pins = rng.range(1, 2);
        for (std::int64_t k = 0; k < pins; ++k)
            params.pins.push_back(drawPin(lowered, rng));
        compare(lowered, params, describe(seed, params), tally);
    }
    RecordProperty("compared", tally.compared);
    EXPECT_GE(tally.compared, 150);
    EXPECT_GT(tally.feasible, 40);
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
            compare(lowered, params, describe(seed, params), tally);
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
