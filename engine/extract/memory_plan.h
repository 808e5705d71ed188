// Which weights stay on the chip, and how long the rings of the others are: the best choice for
// given units and calls.
//
// A call whose weights are on the chip takes its compute cycles. The weights of the others are read
// in the order of the calls, ahead of them as far as the ring of their unit reaches, and a call
// waits for what is not there yet (design/weight_traffic.h). The choice is made on a model of that
// without single words (call_cycles.h): `cycles` is its estimate, which a replay of the schedule
// then replaces. It is the best of all subsets by that estimate, found by branch and bound, unless
// it takes more than kMostPlanSteps steps (then `exact` is false). Rings are as long as a block at
// least; what is left of the blocks of RAM makes them longer. Words as wide as a unit take many
// blocks even where there are few of them: where no choice has room, rings alone in their memory,
// the shortest, are built of LUTs where that is the smaller part of the device, as many as
// `lutLimit` allows. Units: cycles, words of parallel × lanes elements, blocks. Thread rule: pure.
#pragma once

#include "engine/design/schedule.h"
#include "engine/device/device.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace marquetry::extract {

inline constexpr std::size_t kMostPlanSteps = 2'000;

struct WeightDemand {
    std::size_t unit = 0;
    std::int64_t computeCycles = 0;
    std::int64_t words = 0;     ///< in the unit's memory
    std::int64_t tileWords = 0; ///< of one row block
    std::int64_t pixels = 1;    ///< for which a block is used
    std::int64_t reads = 1;     ///< of each external word in a run: once for every band of rows
    bool stays = false;         ///< made on the chip: never external

    /// Words that a run reads of external memory.
    std::int64_t traffic() const { return words * reads; }
};

struct WeightUnit {
    std::int64_t elements = 0; ///< parallel × lanes
    int elementBits = 8;
    std::int64_t apart = 1; ///< parts of a word that are written apart, in memories of their own
};

struct MemoryProblem {
    device::Device device;
    std::vector<WeightUnit> units;
    std::vector<WeightDemand> calls; ///< in the order in which they run
    double bramLimit = 0;            ///< what is left for weights
    double lutLimit = 0;             ///< of LUTs that rings may take where blocks have no room
    std::int64_t leadCycles = 0;     ///< of a run, before the first call
    /// Of frames, one behind the other, with these calls in each: planWeights looks at one of them.
    std::int64_t groups = 1;
    bool loads = false; ///< there is a port to external memory anyway, and it brings all weights
};

struct MemoryPlan {
    bool feasible = false;
    bool exact = true;
    std::vector<bool> external;          ///< by call
    std::vector<std::int64_t> words;     ///< by unit: those that stay
    std::vector<std::int64_t> rings;     ///< by unit: behind them
    std::vector<std::int64_t> beats;     ///< by unit: written at once
    std::vector<double> blocks;          ///< by unit
    std::vector<device::Resources> luts; ///< by unit: of a memory that is built of LUTs
    std::int64_t cycles = 0;             ///< of all calls, estimated
    double bram = 0;                     ///< with the queue of beats

    bool readsMemory() const;
    double ringLuts() const; ///< Σ luts
};

MemoryPlan planWeights(const MemoryProblem& problem);

/// The port of a device's external memory: the narrowest that is as fast as the memory. Nothing
/// where there is none.
std::optional<design::ExternalMemory> externalMemory(const device::Device& device);

/// Blocks of two plans: all weights on the chip, and all external where there is a memory. Rings
/// take LUTs as in planWeights.
struct WeightBlocks {
    double onChip = 0;
    double least = 0; ///< of both
};

WeightBlocks weightBlocks(const MemoryProblem& problem);

} // namespace marquetry::extract
