// Which weights stay on the chip: the exact choice for given units and calls.
//
// A call whose weights are on the chip takes its compute cycles. A call whose weights stream from
// external memory takes max(compute, transfer) + latency, and its unit keeps a double-buffered tile
// of one row block. The choice is made by branch and bound over the calls that gain from being on
// the chip, most cycles per word first. It is exact unless it takes more than 400 000 steps (then
// `exact` is false).
// Units: cycles, words of parallel × lanes elements, blocks. Thread rule: pure.
#pragma once

#include "engine/device/device.h"

#include <cstdint>
#include <vector>

namespace marquetry::extract {

struct WeightDemand {
    std::size_t unit = 0;
    std::int64_t computeCycles = 0;
    std::int64_t words = 0;     ///< in the unit's memory
    std::int64_t tileWords = 0; ///< of one row block
    std::int64_t bytes = 0;     ///< transferred when external
    bool held = false;          ///< made on the chip: never external
};

struct WeightUnit {
    std::int64_t elements = 0; ///< parallel × lanes
    int elementBits = 8;
    std::int64_t apart = 1; ///< parts of a word that are written apart, in memories of their own
};

struct MemoryProblem {
    device::Device device;
    std::vector<WeightUnit> units;
    std::vector<WeightDemand> calls;
    double bramLimit = 0; ///< what is left for weights
};

struct MemoryPlan {
    bool feasible = false;
    bool exact = true;
    std::vector<bool> external;      ///< by call
    std::vector<std::int64_t> words; ///< by unit: depth of its weight memory
    std::vector<double> blocks;      ///< by unit
    std::int64_t cycles = 0;         ///< Σ over the calls
    double bram = 0;
};

MemoryPlan planWeights(const MemoryProblem& problem);

/// Fewest blocks any plan needs: everything external, or on chip where there is no memory.
double leastWeightBlocks(const MemoryProblem& problem);

} // namespace marquetry::extract
