// Pool-first search: which units are outlined, and which unit each call uses.
//
// A pool is a set of entries; an entry is a unit class outlined with one body. Inside a pool time
// and resources decompose over the calls, so a dynamic programme over the calls with Pareto sets of
// (time, dsp) is exact (engineir.md §B "pool-first"; skeleshare.md §C.2). A unit entry may itself
// call another entry (`base`): its body then costs no DSP of its own.
//
// Pools are tried by size; a larger pool is tried only when the sum of its calls' best times beats
// the best design known. Anytime: `lowerBound` holds for every pool, tried or not.
// Complexity: O(entries · calls · |set|) per pool. Deterministic unless the stop_token fires.
// Thread rule: pure.
#pragma once

#include "engine/extract/paths.h"

#include <stop_token>
#include <vector>

namespace marquetry::extract {

struct PrivateOption {
    double time = 0;
    double dsp = 0;
    int convs = 0;
    int path = -1; ///< in the private Paths
};

struct ViaOption {
    double time = 0;
    int convs = 0; ///< inline, above the outlined unit
    int size = 0;  ///< terms of the chain; breaks ties between entries
};

struct Entry {
    int eclass = 0;
    int body = -1; ///< private path; −1 when the body calls `base`
    int base = -1; ///< entry index
    PathCost bodyCost;
    double dsp = 0;
    int convs = 0;                           ///< of the body
    std::vector<std::vector<ViaOption>> via; ///< by call; empty: cannot be reached
};

struct CallDemand {
    std::vector<PrivateOption> options; ///< undominated
    std::uint32_t requiredPins = 0;
    std::uint32_t rejectedPins = 0;

    bool accepts(std::uint32_t pins) const {
        return (pins & requiredPins) == requiredPins && (pins & rejectedPins) == 0;
    }
};

struct PoolProblem {
    std::vector<CallDemand> calls;
    std::vector<Entry> entries;
    std::vector<int> mustShare; ///< classes that must be shared by two calls or more
    double dspLimit = 0;
    int maxConvs = -1;
    int maxPool = 3;
    bool leastDsp = false;            ///< look for the least DSP instead of the least time
    std::size_t maxPools = 2'000'000; ///< deterministic step limit
};

struct CallChoice {
    int entry = -1;    ///< −1: private
    int private_ = -1; ///< index into the call's options
    double time = 0;
};

struct PoolSolution {
    double time = 0;
    double dsp = 0;
    std::vector<int> pool;
    std::vector<CallChoice> calls;
};

struct PoolResult {
    std::vector<PoolSolution> front; ///< undominated in (time, dsp), fastest first
    double lowerBound = 0;           ///< of time under the DSP limit
    bool complete = true;            ///< false when stopped early
    std::size_t poolsTried = 0;
    /// Least time of a design whose pool holds the entry; infinity when none was found. By entry.
    std::vector<double> bestWithEntry;
};

/// True when the problem is well formed (indices in range, options sorted).
bool check(const PoolProblem& problem);
/// Recomputes a solution's time, dsp and convs from the problem.
bool verify(const PoolProblem& problem, const PoolSolution& solution);

PoolResult searchPools(const PoolProblem& problem, std::stop_token stop);

} // namespace marquetry::extract
