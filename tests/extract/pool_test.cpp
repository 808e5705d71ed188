// The pool search and the path sets against exhaustive enumeration.
#include "tests/extract/brute_force.h"
#include "tests/support/programs.h"
#include "tests/support/spaces.h"

#include "engine/device/device_file.h"
#include "engine/extract/problem.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace marquetry {

using design::CostModel;
using design::Pin;
using test::BruteForce;
using test::BruteParams;
using test::drawGroups;
using test::drawPin;
using test::spaceOf;

namespace {

const CostModel kPoolModels[] = {CostModel::Cycles, CostModel::Published, CostModel::PublishedOpen};

std::string poolText(std::uint64_t seed, const BruteParams& params) {
    std::string text = "seed " + std::to_string(seed) + " " + toString(params.model) + " dsp " +
                       std::to_string(params.dspLimit);
    for (const Pin& pin : params.pins)
        text += " [" + toString(pin) + "]";
    return text;
}

extract::ProblemParams problemParams(const BruteParams& params) {
    return {params.model, params.device, params.dspLimit, params.sharing, params.pins};
}

/// Compares one problem; false when it is too large to enumerate.
bool expectSameOptimum(const rules::Lowered& lowered, const BruteParams& params,
                       const std::string& what, int& feasible) {
    BruteForce brute(lowered, params);
    if (!brute.exhausted())
        return false;
    auto problem = extract::makeProblem(lowered, problemParams(params), {});
    EXPECT_TRUE(problem.has_value()) << what << format(problem.error());
    if (!problem)
        return true;
    const extract::PoolResult pools = extract::searchPools((*problem)->pool, {});
    EXPECT_TRUE(pools.complete) << what;
    for (const extract::PoolSolution& solution : pools.front)
        EXPECT_TRUE(extract::verify((*problem)->pool, solution)) << what;
    const std::optional<double> best = brute.leastTime();
    EXPECT_EQ(best.has_value(), !pools.front.empty()) << what;
    if (!best || pools.front.empty())
        return true;
    ++feasible;
    EXPECT_NEAR(pools.front.front().time, *best, 1e-6 * *best) << what;
    EXPECT_LE(pools.lowerBound, *best * (1 + 1e-9)) << what;
    return true;
}

device::Device poolDevice(std::uint64_t seed) {
    return *device::findDevice(seed % 2 == 0 ? "arria10" : "xc7k160t");
}

/// Of a program with one or two pins, all drawn by the seed; false when it is too large to
/// enumerate.
bool expectPinsObeyed(std::uint64_t seed, int& feasible) {
    SplitMix64 rng(5000 + seed);
    const auto without = drawGroups(rng);
    const CostModel model = kPoolModels[seed % 3];
    const rules::Lowered lowered = spaceOf(test::meetingProgramText(seed), model, without);
    BruteParams params{model, poolDevice(seed), static_cast<double>(rng.range(30, 600)), true, {}};
    const std::int64_t pins = rng.range(1, 2);
    for (std::int64_t k = 0; k < pins; ++k)
        params.pins.push_back(drawPin(lowered, rng));
    return expectSameOptimum(lowered, params, poolText(seed, params), feasible);
}

} // namespace

TEST(PoolSearch, FindsTheOptimumOfBruteForce) {
    int compared = 0;
    int feasible = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        SplitMix64 rng(1000 + seed);
        const auto without = drawGroups(rng);
        for (CostModel model : kPoolModels) {
            const rules::Lowered lowered = spaceOf(test::meetingProgramText(seed), model, without);
            BruteParams params{model,
                               poolDevice(seed),
                               static_cast<double>(rng.range(4, 400)),
                               rng.range(0, 4) != 0,
                               {}};
            compared += expectSameOptimum(lowered, params, poolText(seed, params), feasible);
        }
    }
    EXPECT_GT(compared, 100);
    EXPECT_GT(feasible, 60);
}

// A unit whose class has more columns than a call's takes more stored words at once than a private
// unit of the call, and may be worth its blocks for that call alone.
TEST(PoolSearch, FindsTheOptimumOfBruteForceWhereAnOutlinedUnitServesOneCall) {
    const std::pair<std::uint64_t, double> programs[] = {{134, 335},    {913, 287.5},  {1163, 97},
                                                         {1163, 63.5},  {1186, 223.5}, {1369, 57},
                                                         {1408, 127.5}, {1670, 31.5}};
    for (const auto& [seed, dsp] : programs) {
        SplitMix64 rng(1000 + seed);
        const auto without = drawGroups(rng);
        const rules::Lowered lowered =
            spaceOf(test::meetingProgramText(seed), CostModel::Cycles, without);
        const BruteParams params{CostModel::Cycles, poolDevice(seed), dsp, true, {}};
        int feasible = 0;
        EXPECT_TRUE(expectSameOptimum(lowered, params, poolText(seed, params), feasible));
        EXPECT_EQ(feasible, 1) << poolText(seed, params);
    }
}

// Lanes that write results cost DSP blocks, and results wait where there are few.
TEST(PoolSearch, FindsTheOptimumOfBruteForceWhereResultsAreScaled) {
    int compared = 0;
    int feasible = 0;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        SplitMix64 rng(61'000 + seed);
        const rules::Lowered lowered =
            spaceOf(test::scaledProgramText(seed), CostModel::Cycles, drawGroups(rng));
        const BruteParams params{CostModel::Cycles,
                                 poolDevice(seed),
                                 static_cast<double>(rng.range(10, 200)),
                                 rng.range(0, 4) != 0,
                                 {}};
        compared += expectSameOptimum(lowered, params, poolText(seed, params), feasible);
    }
    EXPECT_GT(compared, 20);
    EXPECT_GT(feasible, 15);
}

TEST(PoolSearch, ObeysPinsAsBruteForceDoes) {
    int compared = 0;
    int feasible = 0;
    for (std::uint64_t seed = 0; seed < 160; ++seed)
        compared += expectPinsObeyed(seed, feasible);
    EXPECT_GT(compared, 140);
    EXPECT_GT(feasible, 50);
}

// The path of a call passes a class twice: a term that a pin asks for lies on the way round, or
// parallel loops over the rows of a leaf that one asks for.
TEST(PoolSearch, ObeysPinsAsBruteForceDoesOnWaysRoundAClass) {
    for (const std::uint64_t seed : {212, 444, 1437}) {
        int feasible = 0;
        EXPECT_TRUE(expectPinsObeyed(seed, feasible)) << seed;
        EXPECT_EQ(feasible, 1) << seed;
    }
}

// Products of matrices, stencils and depth-wise convolutions, with and without pins.
TEST(PoolSearch, FindsTheOptimumOfBruteForceOnOtherSkeletons) {
    int compared = 0;
    int feasible = 0;
    int columns = 0;
    for (std::uint64_t seed = 0; seed < 120; ++seed) {
        SplitMix64 rng(20'000 + seed);
        const auto without = drawGroups(rng);
        for (CostModel model : kPoolModels) {
            const rules::Lowered lowered = spaceOf(test::otherSkeletonsText(seed), model, without);
            BruteParams params{
                model, poolDevice(seed), static_cast<double>(rng.range(4, 300)), true, {}};
            if (rng.range(0, 2) == 0)
                params.pins.push_back(drawPin(lowered, rng));
            compared += expectSameOptimum(lowered, params, poolText(seed, params), feasible);
            columns +=
                !lowered.egraph->nodesWithOp(lowered.terms.op(rules::Skeleton::Im2colConv)).empty();
        }
    }
    EXPECT_GT(compared, 250);
    EXPECT_GT(feasible, 150);
    EXPECT_GT(columns, 5) << "convolutions that can meet a product of matrices";
}

TEST(Paths, AreTheUndominatedChains) {
    int compared = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        SplitMix64 rng(9000 + seed);
        const auto without = drawGroups(rng);
        const CostModel model = kPoolModels[seed % 3];
        const rules::Lowered lowered = spaceOf(test::meetingProgramText(seed), model, without);
        const BruteParams params{model, poolDevice(seed), 1e9, true, {}};
        BruteForce brute(lowered, params);
        if (!brute.exhausted())
            continue;
        ++compared;
        const auto problem = extract::makeProblem(lowered, problemParams(params), {});
        ASSERT_TRUE(problem.has_value());
        const auto& classes = (*problem)->graph.classes;
        for (std::size_t c = 0; c < classes.size(); ++c) {
            std::vector<test::BrutePoint> points;
            for (int index : (*problem)->paths->set(static_cast<int>(c))) {
                const extract::PathCost& cost = (*problem)->paths->path(index).cost;
                points.push_back({cost.time, cost.dsp, cost.convs});
            }
            if (classes[c].shape.function == ir::UnitFunction::Map)
                continue;
            EXPECT_EQ(test::undominated(points), brute.bodies(classes[c].id))
                << poolText(seed, params) << " " << toString(classes[c].shape);
        }
    }
    EXPECT_GT(compared, 40);
}

TEST(PoolSearch, IsDeterministic) {
    const std::string text = test::meetingProgramText(7);
    std::vector<extract::PoolResult> results;
    for (int run = 0; run < 2; ++run) {
        const rules::Lowered lowered = spaceOf(text, CostModel::Cycles, {});
        const auto problem =
            extract::makeProblem(lowered, {CostModel::Cycles, poolDevice(0), 64, true, {}}, {});
        results.push_back(extract::searchPools((*problem)->pool, {}));
    }
    ASSERT_EQ(results[0].front.size(), results[1].front.size());
    EXPECT_EQ(results[0].nodes, results[1].nodes);
    for (std::size_t k = 0; k < results[0].front.size(); ++k) {
        EXPECT_EQ(results[0].front[k].pool, results[1].front[k].pool);
        EXPECT_EQ(results[0].front[k].time, results[1].front[k].time);
    }
}

} // namespace marquetry
