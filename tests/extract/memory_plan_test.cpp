// Which weights stay on chip: against every subset.
#include "engine/extract/memory_plan.h"

#include "engine/cost/buffer_cost.h"
#include "engine/device/device_file.h"
#include "engine/support/rng.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace marquetry {

using extract::MemoryPlan;
using extract::MemoryProblem;

namespace {

struct Figures {
    std::int64_t cycles = 0;
    double bram = 0;
};

/// Cycles and blocks when the calls of the mask take their weights from external memory.
Figures figuresOf(const MemoryProblem& problem, unsigned mask) {
    Figures figures;
    std::vector<std::int64_t> words(problem.units.size(), 0);
    std::vector<std::int64_t> tile(problem.units.size(), 0);
    for (std::size_t c = 0; c < problem.calls.size(); ++c) {
        const extract::WeightDemand& call = problem.calls[c];
        if ((mask >> c & 1U) == 0) {
            figures.cycles += call.computeCycles;
            words[call.unit] += call.words;
            continue;
        }
        const double transfer =
            std::ceil(static_cast<double>(call.bytes) / problem.device.memoryBytesPerCycle);
        figures.cycles += std::max(call.computeCycles, static_cast<std::int64_t>(transfer)) +
                          problem.device.memoryLatencyCycles;
        tile[call.unit] = std::max(tile[call.unit], 2 * call.tileWords);
    }
    for (std::size_t u = 0; u < problem.units.size(); ++u)
        figures.bram += cost::weightMemory(problem.device, words[u] + tile[u],
                                           problem.units[u].elements, problem.units[u].elementBits)
                            .resources.bram;
    return figures;
}

std::optional<std::int64_t> bestOfAll(const MemoryProblem& problem) {
    std::optional<std::int64_t> best;
    const bool memory = problem.device.memoryBytesPerCycle > 0;
    for (unsigned mask = 0; mask < (1U << problem.calls.size()); ++mask) {
        bool sensible = memory || mask == 0;
        for (std::size_t c = 0; c < problem.calls.size(); ++c)
            sensible = sensible && !((mask >> c & 1U) != 0 && problem.calls[c].words == 0);
        if (!sensible)
            continue;
        const Figures figures = figuresOf(problem, mask);
        if (figures.bram <= problem.bramLimit && (!best || figures.cycles < *best))
            best = figures.cycles;
    }
    return best;
}

MemoryProblem drawProblem(SplitMix64& rng) {
    MemoryProblem problem;
    const char* const devices[] = {"arria10", "xc7z020", "ice40up5k", "lfe5u-85f"};
    problem.device = *device::findDevice(devices[rng.range(0, 3)]);
    const std::int64_t units = rng.range(1, 3);
    for (std::int64_t u = 0; u < units; ++u)
        problem.units.push_back({std::int64_t{8} << rng.range(0, 4), 8});
    const std::int64_t calls = rng.range(1, 8);
    for (std::int64_t c = 0; c < calls; ++c) {
        extract::WeightDemand call;
        call.unit = static_cast<std::size_t>(rng.range(0, units - 1));
        call.computeCycles = rng.range(10, 5000);
        if (rng.range(0, 5) != 0) {
            call.tileWords = rng.range(1, 200);
            call.words = call.tileWords * rng.range(1, 20);
            call.bytes = call.words * problem.units[call.unit].elements;
        }
        problem.calls.push_back(call);
    }
    problem.bramLimit = static_cast<double>(rng.range(0, 60));
    return problem;
}

} // namespace

TEST(MemoryPlan, IsTheBestOfAllSubsets) {
    SplitMix64 rng(3);
    int feasible = 0;
    int external = 0;
    for (int k = 0; k < 2000 && !HasFailure(); ++k) {
        const MemoryProblem problem = drawProblem(rng);
        const std::optional<std::int64_t> best = bestOfAll(problem);
        const MemoryPlan plan = extract::planWeights(problem);
        ASSERT_EQ(plan.feasible, best.has_value()) << k;
        EXPECT_TRUE(plan.exact);
        if (!best)
            continue;
        ++feasible;
        EXPECT_EQ(plan.cycles, *best) << k;
        unsigned mask = 0;
        for (std::size_t c = 0; c < plan.external.size(); ++c)
            mask |= plan.external[c] ? 1U << c : 0U;
        external += mask != 0;
        const Figures figures = figuresOf(problem, mask);
        EXPECT_EQ(figures.cycles, plan.cycles);
        EXPECT_EQ(figures.bram, plan.bram);
        EXPECT_LE(plan.bram, problem.bramLimit);
        EXPECT_LE(extract::leastWeightBlocks(problem), plan.bram);
    }
    EXPECT_GT(feasible, 500);
    EXPECT_GT(external, 200);
}

TEST(MemoryPlan, ManyCallsWithoutExternalMemoryStayInRange) {
    MemoryProblem problem;
    problem.device = *device::findDevice("ice40up5k");
    problem.units.push_back({64, 8});
    for (int c = 0; c < 12; ++c)
        problem.calls.push_back({0, 100, 100'000, 100, 6'400'000});
    problem.bramLimit = 1;
    EXPECT_FALSE(extract::planWeights(problem).feasible);
}

} // namespace marquetry
