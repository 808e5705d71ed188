// Which weights stay on chip: against every subset.
#include "engine/extract/call_cycles.h"

#include "engine/cost/buffer_cost.h"
#include "engine/design/cycle_model.h"
#include "engine/design/weight_traffic.h"
#include "engine/device/device_file.h"
#include "engine/support/checked_math.h"
#include "engine/support/rng.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace marquetry {

using extract::MemoryPlan;
using extract::MemoryProblem;

namespace {

/// Words of a unit that stay and the longest block of the others, when the calls of the mask take
/// their weights from external memory.
struct Words {
    std::int64_t stay = 0;
    std::int64_t ring = 0;
};

Words wordsOf(const MemoryProblem& problem, std::size_t unit, const std::vector<bool>& external) {
    Words words;
    for (std::size_t c = 0; c < problem.calls.size(); ++c) {
        const extract::WeightDemand& call = problem.calls[c];
        if (call.unit != unit)
            continue;
        if (external[c])
            words.ring = std::max(words.ring, call.tileWords);
        else
            words.stay += call.words;
    }
    return words;
}

/// The blocks of a memory whose words come in beats, so many of which are written at once; 0: the
/// number that takes the fewest.
double loadedBlocks(const MemoryProblem& problem, std::size_t unit, std::int64_t words,
                    std::int64_t together) {
    const std::int64_t bits = problem.units[unit].elements * problem.units[unit].elementBits;
    const std::int64_t beat = 8 * extract::externalMemory(problem.device)->beatBytes;
    double fewest = std::numeric_limits<double>::infinity();
    for (std::int64_t beats = 1; beats <= 8; ++beats) {
        double blocks = 0;
        for (std::int64_t from = 0; from < bits; from += beats * beat)
            blocks += problem.device.ramBlocks(words, std::min(beats * beat, bits - from));
        if (together == 0 || together == beats)
            fewest = std::min(fewest, blocks);
    }
    return fewest;
}

/// `together`: by unit; empty: whatever takes the fewest blocks.
double blocksOf(const MemoryProblem& problem, const std::vector<bool>& external,
                const std::vector<std::int64_t>& rings,
                const std::vector<std::int64_t>& together = {}) {
    const bool reads = std::ranges::find(external, true) != external.end();
    const auto memory = extract::externalMemory(problem.device);
    double blocks =
        reads ? problem.device.ramBlocks(design::queueBeats(*memory), 8 * memory->beatBytes) : 0;
    for (std::size_t u = 0; u < problem.units.size(); ++u) {
        const std::int64_t words = wordsOf(problem, u, external).stay + rings[u];
        blocks += reads ? loadedBlocks(problem, u, words, together.empty() ? 0 : together[u])
                        : cost::weightMemory(problem.device, words, problem.units[u].elements,
                                             problem.units[u].elementBits)
                              .resources.bram;
    }
    return blocks;
}

/// Estimated cycles of the mask with the shortest rings, and when they fit.
std::optional<double> cyclesOf(const MemoryProblem& problem, const std::vector<bool>& external) {
    std::vector<std::int64_t> rings;
    for (std::size_t u = 0; u < problem.units.size(); ++u)
        rings.push_back(wordsOf(problem, u, external).ring);
    if (blocksOf(problem, external, rings) > problem.bramLimit)
        return std::nullopt;
    return extract::callCycles(problem, external, rings);
}

std::vector<bool> calls(const MemoryProblem& problem, unsigned mask) {
    std::vector<bool> external;
    for (std::size_t c = 0; c < problem.calls.size(); ++c)
        external.push_back((mask >> c & 1U) != 0);
    return external;
}

std::optional<double> bestOfAll(const MemoryProblem& problem) {
    std::optional<double> best;
    const bool memory = problem.device.memoryBytesPerCycle > 0;
    for (unsigned mask = 0; mask < (1U << problem.calls.size()); ++mask) {
        bool sensible = memory || mask == 0;
        for (std::size_t c = 0; c < problem.calls.size(); ++c)
            sensible = sensible && !((mask >> c & 1U) != 0 && problem.calls[c].words == 0);
        if (!sensible)
            continue;
        const auto cycles = cyclesOf(problem, calls(problem, mask));
        if (cycles && (!best || *cycles < *best))
            best = cycles;
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
    const std::int64_t count = rng.range(1, 8);
    for (std::int64_t c = 0; c < count; ++c) {
        extract::WeightDemand call;
        call.unit = static_cast<std::size_t>(rng.range(0, units - 1));
        call.pixels = rng.range(1, 30);
        call.computeCycles = rng.range(10, 50);
        if (rng.range(0, 5) != 0) {
            call.tileWords = rng.range(1, 200);
            call.words = call.tileWords * rng.range(1, 20);
            call.reads = rng.range(0, 2) == 0 ? rng.range(2, 9) : 1;
            call.computeCycles += call.words * call.pixels * call.reads;
        }
        problem.calls.push_back(call);
    }
    problem.leadCycles = rng.range(0, 500);
    problem.bramLimit = static_cast<double>(rng.range(0, 60));
    return problem;
}

} // namespace

TEST(MemoryPlan, IsNoWorseThanAnySubset) {
    SplitMix64 rng(3);
    int feasible = 0;
    int external = 0;
    int longer = 0;
    for (int k = 0; k < 2000 && !HasFailure(); ++k) {
        const MemoryProblem problem = drawProblem(rng);
        const std::optional<double> best = bestOfAll(problem);
        const MemoryPlan plan = extract::planWeights(problem);
        ASSERT_EQ(plan.feasible, best.has_value()) << k;
        EXPECT_TRUE(plan.exact);
        if (!best)
            continue;
        ++feasible;
        external += plan.readsMemory();
        EXPECT_LE(plan.cycles, static_cast<std::int64_t>(std::ceil(*best))) << k;
        EXPECT_EQ(plan.cycles, static_cast<std::int64_t>(
                                   std::ceil(callCycles(problem, plan.external, plan.rings))));
        EXPECT_GE(plan.bram, blocksOf(problem, plan.external, plan.rings)) << k;
        EXPECT_EQ(plan.bram, blocksOf(problem, plan.external, plan.rings, plan.beats)) << k;
        EXPECT_LE(plan.bram, problem.bramLimit);
        if (plan.readsMemory()) {
            EXPECT_LE(extract::weightBlocks(problem).least, plan.bram);
        }
        for (std::size_t u = 0; u < problem.units.size(); ++u) {
            const Words words = wordsOf(problem, u, plan.external);
            EXPECT_EQ(plan.words[u], words.stay);
            EXPECT_GE(plan.rings[u], words.ring);
            longer += plan.rings[u] > words.ring;
        }
    }
    EXPECT_GT(feasible, 500);
    EXPECT_GT(external, 200);
    EXPECT_GT(longer, 200);
}

namespace {

/// With the shortest rings; those alone in their memory are in LUTs, where these are the smaller
/// part of the device, as many as there is room for, first those that save most blocks for a LUT.
bool fitsWithLuts(const MemoryProblem& problem, const std::vector<bool>& external) {
    const auto memory = extract::externalMemory(problem.device);
    double blocks = problem.device.ramBlocks(design::queueBeats(*memory), 8 * memory->beatBytes);
    std::vector<std::pair<double, double>> savings; // blocks, LUTs
    for (std::size_t u = 0; u < problem.units.size(); ++u) {
        const Words words = wordsOf(problem, u, external);
        const std::int64_t bits = problem.units[u].elements * problem.units[u].elementBits;
        const double inBlocks = loadedBlocks(problem, u, words.stay + words.ring, 0);
        const cost::BankMemory bank =
            cost::activationBank(problem.device, problem.device.limits, words.ring, bits);
        blocks += inBlocks;
        if (words.ring > 0 && words.stay == 0 && bank.lutRam)
            savings.emplace_back(inBlocks, bank.resources.lut);
    }
    std::ranges::stable_sort(savings, [](const auto& a, const auto& b) {
        return a.first / a.second > b.first / b.second;
    });
    double left = problem.lutLimit;
    for (const auto& [saved, luts] : savings)
        if (luts <= left) {
            left -= luts;
            blocks -= saved;
        }
    return blocks <= problem.bramLimit;
}

} // namespace

TEST(MemoryPlan, ShortRingsAreBuiltOfLutsWhereBlocksHaveNoRoom) {
    SplitMix64 rng(4);
    int sparing = 0;
    int refused = 0;
    for (int k = 0; k < 3000 && !HasFailure(); ++k) {
        MemoryProblem problem = drawProblem(rng);
        if (!extract::externalMemory(problem.device) || extract::planWeights(problem).feasible)
            continue;
        problem.lutLimit = static_cast<double>(rng.range(1, 8000));
        const MemoryPlan plan = extract::planWeights(problem);
        bool fits = false;
        for (unsigned mask = 1; mask < (1U << problem.calls.size()) && !fits; ++mask) {
            const std::vector<bool> external = calls(problem, mask);
            bool sensible = true;
            for (std::size_t c = 0; c < problem.calls.size(); ++c)
                sensible = sensible && !(external[c] && problem.calls[c].words == 0);
            fits = sensible && fitsWithLuts(problem, external);
        }
        ASSERT_EQ(plan.feasible, fits) << k;
        if (!fits) {
            ++refused;
            continue;
        }
        ++sparing;
        EXPECT_LE(plan.bram, problem.bramLimit);
        double luts = 0;
        for (std::size_t u = 0; u < problem.units.size(); ++u) {
            luts += plan.luts[u].lut;
            if (plan.luts[u].lut > 0) {
                EXPECT_EQ(plan.blocks[u], 0);
                EXPECT_EQ(plan.rings[u], wordsOf(problem, u, plan.external).ring);
            }
        }
        EXPECT_GT(luts, 0);
        EXPECT_LE(luts, problem.lutLimit);
    }
    EXPECT_GT(sparing, 60);
    EXPECT_GT(refused, 60);
}

// Each reads the same words again, in as many clocks.
TEST(MemoryPlan, OfManyGroupsIsThatOfOne) {
    SplitMix64 rng(31);
    int feasible = 0, external = 0;
    for (int k = 0; k < 400; ++k) {
        const MemoryProblem one = drawProblem(rng);
        MemoryProblem many = one;
        many.groups = rng.range(2, 40);
        for (extract::WeightDemand& call : many.calls) {
            call.computeCycles *= many.groups;
            call.reads *= many.groups;
        }
        const MemoryPlan plan = extract::planWeights(one), groups = extract::planWeights(many);
        ASSERT_EQ(plan.feasible, groups.feasible) << k;
        if (!plan.feasible)
            continue;
        ++feasible;
        external += plan.readsMemory();
        EXPECT_EQ(plan.external, groups.external) << k;
        EXPECT_EQ(plan.rings, groups.rings) << k;
        EXPECT_EQ(plan.words, groups.words) << k;
        EXPECT_EQ(many.groups * plan.cycles, groups.cycles) << k;
    }
    EXPECT_GT(feasible, 100);
    EXPECT_GT(external, 40);
}

TEST(MemoryPlan, ManyCallsWithoutExternalMemoryStayInRange) {
    MemoryProblem problem;
    problem.device = *device::findDevice("ice40up5k");
    problem.units.push_back({64, 8});
    for (int c = 0; c < 12; ++c)
        problem.calls.push_back({0, 100, 100'000, 100});
    problem.bramLimit = 1;
    EXPECT_FALSE(extract::planWeights(problem).feasible);
}

TEST(MemoryPlan, PortsAreAsWideAsTheirMemoriesAreFast) {
    const auto widthOf = [](double bytesPerCycle) {
        device::Device device;
        device.memoryBytesPerCycle = bytesPerCycle;
        return extract::externalMemory(device)->beatBytes;
    };
    EXPECT_EQ(widthOf(0.5), 4);
    EXPECT_EQ(widthOf(16), 16);
    EXPECT_EQ(widthOf(24.3), 32);
    EXPECT_EQ(widthOf(200), 128);
    EXPECT_FALSE(extract::externalMemory(device::Device{}));
}

} // namespace marquetry
