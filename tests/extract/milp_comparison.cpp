#include "tests/extract/milp_comparison.h"

#include "tests/support/programs.h"
#include "tests/support/spaces.h"

#include "engine/device/device_file.h"
#include "engine/extract/milp.h"

#include <gtest/gtest.h>

namespace marquetry::test {

using design::CostModel;

std::string describe(std::uint64_t seed, const extract::ProblemParams& params) {
    std::string text = "seed " + std::to_string(seed) + " " + toString(params.model) + " dsp " +
                       std::to_string(params.dspLimit);
    for (const design::Pin& pin : params.pins)
        text += " [" + toString(pin) + "]";
    return text;
}

void compareWithMilp(const rules::Lowered& lowered, const extract::ProblemParams& params,
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

Tally compareRandomPrograms(std::uint64_t first, std::uint64_t end, std::int64_t mostSpan) {
    Tally tally;
    for (std::uint64_t seed = first; seed < end; ++seed) {
        SplitMix64 rng(21'000 + seed);
        const auto without = drawGroups(rng);
        for (CostModel model : kModels) {
            const rules::Lowered lowered = spaceOf(meetingProgramText(seed), model, without);
            extract::ProblemParams params{model,
                                          deviceOf(seed),
                                          static_cast<double>(rng.range(4, 400)),
                                          rng.range(0, 4) != 0,
                                          {}};
            params.mostSpan = mostSpan;
            compareWithMilp(lowered, params, describe(seed, params), tally);
        }
    }
    return tally;
}

Tally comparePinnedPrograms(std::uint64_t first, std::uint64_t end, std::int64_t mostSpan) {
    Tally tally;
    for (std::uint64_t seed = first; seed < end; ++seed) {
        SplitMix64 rng(25'000 + seed);
        const auto without = drawGroups(rng);
        const CostModel model = kModels[seed % 3];
        const rules::Lowered lowered = spaceOf(meetingProgramText(seed), model, without);
        extract::ProblemParams params{
            model, deviceOf(seed), static_cast<double>(rng.range(30, 600)), true, {}};
        const std::int64_t pins = rng.range(1, 2);
        for (std::int64_t k = 0; k < pins; ++k)
            params.pins.push_back(drawPin(lowered, rng));
        params.mostSpan = mostSpan;
        compareWithMilp(lowered, params, describe(seed, params), tally);
    }
    return tally;
}

} // namespace marquetry::test
