// Estimated cycles of calls with external weights: against every word on its own.
#include "engine/extract/call_cycles.h"

#include "engine/device/device_file.h"
#include "engine/support/checked_math.h"
#include "engine/support/rng.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace marquetry {

using extract::MemoryProblem;
using extract::WeightDemand;

namespace {

/// One reader in the order of the calls; a word comes when the one a ring before it is used for the
/// last time, and a unit uses a word at each clock, waiting for those that are not there.
double wordByWord(const MemoryProblem& problem, const std::vector<bool>& external,
                  const std::vector<std::int64_t>& rings) {
    const design::ExternalMemory memory = *extract::externalMemory(problem.device);
    std::vector<std::vector<double>> lastUses(problem.units.size());
    auto clock = static_cast<double>(problem.leadCycles);
    auto read = static_cast<double>(memory.latencyCycles);
    for (std::size_t c = 0; c < problem.calls.size(); ++c) {
        const WeightDemand& call = problem.calls[c];
        if (!external[c]) {
            clock += static_cast<double>(call.computeCycles);
            continue;
        }
        const std::int64_t bytes = problem.units[call.unit].elements;
        const double ofWord =
            static_cast<double>(roundUp(bytes, memory.beatBytes)) / memory.bytesPerCycle;
        std::vector<double>& last = lastUses[call.unit];
        const double use = static_cast<double>(call.computeCycles) /
                           static_cast<double>(call.traffic() * call.pixels);
        for (std::int64_t block = 0; block < call.traffic() / call.tileWords; ++block) {
            std::vector<double> comes;
            for (std::int64_t word = 0; word < call.tileWords; ++word) {
                const std::int64_t before = std::ssize(last) + word - rings[call.unit];
                if (before >= 0)
                    read = std::max(read, last[static_cast<std::size_t>(before)]);
                comes.push_back(read += ofWord);
            }
            for (std::int64_t pixel = 0; pixel < call.pixels; ++pixel)
                for (const double there : comes) {
                    clock = std::max(clock, there) + use;
                    if (pixel == call.pixels - 1)
                        last.push_back(clock);
                }
        }
    }
    return clock - static_cast<double>(problem.leadCycles);
}

MemoryProblem drawCalls(SplitMix64& rng) {
    MemoryProblem problem;
    problem.device = *device::findDevice("xc7z020");
    const std::int64_t units = rng.range(1, 2);
    for (std::int64_t u = 0; u < units; ++u)
        problem.units.push_back({std::int64_t{16} << rng.range(0, 5), 8});
    const std::int64_t count = rng.range(1, 6);
    for (std::int64_t c = 0; c < count; ++c) {
        WeightDemand call;
        call.unit = static_cast<std::size_t>(rng.range(0, units - 1));
        call.pixels = rng.range(0, 3) == 0 ? 1 : rng.range(2, 60);
        call.tileWords = rng.range(1, 60);
        call.words = call.tileWords * rng.range(1, 20);
        call.computeCycles = call.words * call.pixels;
        problem.calls.push_back(call);
    }
    problem.leadCycles = rng.range(0, 500);
    return problem;
}

} // namespace

TEST(CallCycles, AreThoseOfEveryWord) {
    constexpr int kCases = 2000;
    SplitMix64 rng(11);
    int waiting = 0;
    double off = 0;
    for (int k = 0; k < kCases; ++k) {
        const MemoryProblem problem = drawCalls(rng);
        std::vector<bool> external;
        std::vector<std::int64_t> rings(problem.units.size(), 0);
        std::int64_t compute = 0;
        for (const WeightDemand& call : problem.calls) {
            external.push_back(rng.range(0, 3) != 0);
            rings[call.unit] = std::max(rings[call.unit], call.tileWords);
            compute += call.computeCycles;
        }
        for (std::int64_t& ring : rings)
            ring += rng.range(0, 2 * ring);
        const double exact = wordByWord(problem, external, rings);
        const double estimate = extract::callCycles(problem, external, rings);
        waiting += exact > 1.1 * static_cast<double>(compute);
        off += std::abs(estimate / exact - 1) / kCases;
        EXPECT_NEAR(estimate, exact, 0.1 * exact + 2) << k;
    }
    EXPECT_LT(off, 0.01);
    EXPECT_GT(waiting, 500);
}

} // namespace marquetry
