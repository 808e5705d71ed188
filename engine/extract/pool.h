// Pool-first search: which units are outlined, and which unit each call uses
// (background/engineir.md, "Pool-first search").
//
// A pool is a set of entries. An entry is a unit class that is outlined with one body; its body may
// call another entry (`base`), and then costs no DSP of its own. Inside a pool time and resources
// are sums over the calls, so the choice of each call's unit is a multiple-choice knapsack
// (pool_assignment.h). The pools are searched by branch and bound, best bound first. A node of the
// search says of some entries that they are in or out. Its bound comes from the facility-location
// problem that is left when the DSP limit is turned into a price; it is the value of that problem's
// dual (pool_relaxation.h).
//
// Exact, and may be ended at any time: `lowerBound` holds for every pool, tried or not. The front
// is found by asking again for less DSP than the last answer took.
// Complexity: nodes · (demands · entries). Deterministic unless the stop_token fires.
// Thread rule: pure.
#pragma once

#include "engine/extract/reaches.h"

#include <chrono>
#include <functional>
#include <stop_token>
#include <vector>

namespace marquetry::extract {

struct PrivateOption {
    double time = 0;
    double dsp = 0;
    int convs = 0;
    int path = -1; ///< in the private Paths; of a streamed call none
};

struct ViaOption {
    double time = 0;
    int convs = 0;  ///< inline, above the outlined unit
    int size = 0;   ///< terms of the chain; breaks ties between entries
    int reach = -1; ///< in the Reaches of the call's unit class
};

struct PoolEntry {
    int eclass = 0;
    int body = -1;  ///< private path; −1 when the body calls `base`
    int base = -1;  ///< entry index
    int reach = -1; ///< of a nested body: from its class to the base's
    PathCost bodyCost;
    double dsp = 0;
    int convs = 0;                           ///< of the body
    std::vector<std::vector<ViaOption>> via; ///< by demand; empty: cannot be reached
};

/// What equal calls ask for: calls of one unit class, one size and the same pins.
struct CallDemand {
    std::vector<PrivateOption> options; ///< undominated
    std::uint32_t requiredPins = 0;
    std::uint32_t rejectedPins = 0;
    int count = 0;         ///< calls
    bool streamed = false; ///< has a unit of its own: no other serves it

    bool accepts(std::uint32_t pins) const {
        return (pins & requiredPins) == requiredPins && (pins & rejectedPins) == 0;
    }
};

struct PoolProblem {
    std::vector<CallDemand> demands;
    std::vector<int> demandOf; ///< by call
    std::vector<PoolEntry> entries;
    std::vector<int> mustShare;    ///< classes that must be shared by two calls or more
    std::vector<int> mustNotBuild; ///< entries
    double dspLimit = 0;
    int maxConvs = -1;
    bool leastDsp = false;          ///< look for the least DSP instead of the least time
    bool wholeFront = true;         ///< every trade-off of time and DSP, not only the best
    std::size_t maxNodes = 200'000; ///< deterministic step limit
    /// Wall clock; looked at only after the first nodes, so that a design is not lost to it.
    std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
    /// Called at every node with the number of nodes so far, the value of the best solution
    /// (infinity: none) and the lower bound.
    std::function<void(std::size_t nodes, double best, double bound)> progress;

    const PoolEntry& entry(int index) const { return entries[static_cast<std::size_t>(index)]; }
    const CallDemand& demand(std::size_t call) const {
        return demands[static_cast<std::size_t>(demandOf[call])];
    }
    const std::vector<ViaOption>& via(int entryIndex, std::size_t call) const {
        return entry(entryIndex).via[static_cast<std::size_t>(demandOf[call])];
    }
};

struct CallChoice {
    int entry = -1;  ///< −1: private
    int option = -1; ///< index into the demand's options, or into the entry's via options
    double time = 0;
};

struct PoolSolution {
    double time = 0;
    double dsp = 0;
    std::vector<int> pool; ///< entries that are built, bases included
    std::vector<CallChoice> calls;
};

struct PoolResult {
    std::vector<PoolSolution> front; ///< undominated in (time, dsp), fastest first
    double lowerBound = 0; ///< of time under the DSP limit; of DSP when that is looked for
    bool complete = true;  ///< the best is proven: nothing stopped the search before
    bool frontComplete = true;
    bool outOfTime = false; ///< the deadline ended the search
    std::size_t nodes = 0;
};

/// True when the problem is well formed (indices in range, options sorted).
bool check(const PoolProblem& problem);
/// Recomputes a solution's time, dsp and convs from the problem.
bool verify(const PoolProblem& problem, const PoolSolution& solution);

PoolResult searchPools(const PoolProblem& problem, std::stop_token stop);

} // namespace marquetry::extract
