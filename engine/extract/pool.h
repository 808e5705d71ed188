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
// A call may also be done by a private circuit whose weights are part of its logic (a streamed
// call). It is a private option like others, but takes LUTs, flip-flops and block RAM of a limit
// that such circuits share, and no DSP. Which ways a call may go is a set (`Ways`) that the search
// narrows where the limit on logic does not let every call take any of its ways (pool_logic.h).
//
// Exact, and may be ended at any time: `lowerBound` holds for every pool, tried or not. The front
// is found by asking again for less DSP than the last answer took, for every choice of ways in the
// order of its least time (pool_front.h).
// Complexity: nodes · (demands · entries). Deterministic unless the stop_token fires.
// Thread rule: pure.
#pragma once

#include "engine/device/resources.h"
#include "engine/extract/reaches.h"

#include <chrono>
#include <functional>
#include <stop_token>
#include <vector>

namespace marquetry::extract {

/// A set of ways to do a call. Bit 0: on multipliers of its own or an outlined unit's. Bit k: as
/// the call's k-th streamed circuit.
using Ways = std::uint32_t;
inline constexpr Ways kOnMultipliers = 1;

inline Ways wayBit(int way) {
    return Ways{1} << way;
}

struct PrivateOption {
    double time = 0;
    double dsp = 0;
    int convs = 0;
    int path = -1;           ///< in the private Paths; of a streamed circuit none
    int way = 0;             ///< above 0: a streamed circuit
    int stream = -1;         ///< of a streamed circuit: its index among the program's
    device::Resources logic; ///< of a streamed circuit
    PathCost body = {};      ///< of a unit: its form
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
    int convs = 0; ///< of the body
    /// Calls that it, or a unit that calls it, serves at least in an optimum of the fewest outlined
    /// units: two where no call alone is better with it. One is always true.
    int leastCalls = 1;
    std::vector<std::vector<ViaOption>> via; ///< by demand; empty: cannot be reached
};

/// What equal calls ask for: calls of one unit class, one size and the same pins.
struct CallDemand {
    std::vector<PrivateOption> options; ///< undominated
    std::uint32_t requiredPins = 0;
    std::uint32_t rejectedPins = 0;
    Ways ways = kOnMultipliers; ///< allowed
    int count = 0;              ///< calls; one where a streamed circuit is among the options

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
    device::Resources logicLimit; ///< for all streamed circuits; its DSP is not looked at
    int maxConvs = -1;
    /// A class is outlined with one body at most: under the published costs, and where a pin asks
    /// for one to be shared. Else it may be outlined in several forms, which also stand for those
    /// of other classes that they cover.
    bool onePerClass = true;
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

/// By demand.
using WayChoice = std::vector<Ways>;

struct PoolSolution {
    double time = 0;
    double dsp = 0;
    std::vector<int> pool; ///< entries that are built, bases included
    std::vector<CallChoice> calls;
};

/// A set of choices of ways.
struct WaySet {
    WayChoice ways;   ///< allowed, by demand
    double least = 0; ///< no solution of these ways is faster; infinity: there is none
};

struct PoolResult {
    /// Undominated in (time, dsp) among those of the same ways, fastest first.
    std::vector<PoolSolution> front;
    double lowerBound = 0; ///< of time under the DSP limit; of DSP when that is looked for
    /// Share no choice, and are all choices together. None where the least DSP is looked for.
    std::vector<WaySet> sets;
    bool complete = true; ///< the best is proven: nothing stopped the search before
    bool frontComplete = true;
    bool waysComplete = true; ///< every choice of ways that has a solution is on the front
    bool outOfTime = false;   ///< the deadline ended the search
    std::size_t nodes = 0;
};

/// True when the problem is well formed (indices in range, options sorted).
bool check(const PoolProblem& problem);
/// Recomputes a solution's time, dsp, convs and logic from the problem.
bool verify(const PoolProblem& problem, const PoolSolution& solution);

/// The ways that a solution goes, one bit per demand; of a demand of several calls that of all.
WayChoice waysOf(const PoolProblem& problem, const PoolSolution& solution);

PoolResult searchPools(const PoolProblem& problem, std::stop_token stop);

} // namespace marquetry::extract
