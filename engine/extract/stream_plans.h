// Which plans of streamed calls are worth a pool search. A plan says which calls are streamed, and
// how fast.
//
// Up to kMaxStreamPlans plans all are listed. Of more, the fastest are: they are found best first
// over the calls. The cycles of a plan are those of its streamed calls and, for each other call,
// the least that it takes on any unit. No design of a plan is faster, and no plan that is left out
// is faster than the next one in this order. Where limits on logic are tight, the fastest plans may
// leave too little for the rest of a design. Some plans are therefore listed whose units take no
// more than a part of the limits.
// Complexity: O(kMaxStreamNodes · log) · calls. Thread rule: pure.
#pragma once

#include "engine/extract/streams.h"

#include <limits>
#include <vector>

namespace marquetry::extract {

inline constexpr std::size_t kMaxStreamPlans = 128;
inline constexpr std::size_t kMaxStreamNodes = 50'000;

/// What one call may be.
struct StreamChoices {
    std::vector<const StreamOption*> options;
    bool mayNot = true; ///< may be left to other units
    double own = 0;     ///< cycles it then takes at least; infinity: no unit has room
};

struct StreamPlans {
    std::vector<StreamPlan> plans;
    /// The calls of every plan that is not listed take at least so many cycles in sum. Infinity:
    /// only plans without a design are not listed.
    double open = std::numeric_limits<double>::infinity();
    bool complete() const;
};

/// In the order of `calls`, the one that streams least first. `own` is not looked at.
std::vector<StreamPlan> allStreamPlans(const std::vector<StreamChoices>& calls);
/// Their number, at most `most`.
std::size_t countStreamPlans(const std::vector<StreamChoices>& calls, std::size_t most);

StreamPlans fastestStreamPlans(const std::vector<StreamChoices>& calls,
                               const device::Resources& limits);

/// Resources of the plan's units.
device::Resources streamResources(const StreamPlan& plan);

/// Plans that differ in the calls they stream, such that every set of calls whose units are within
/// the limits is part of one of theirs, unless `open` is finite. `own` is not looked at.
StreamPlans largestStreamPlans(std::vector<StreamChoices> calls, const device::Resources& limits);

} // namespace marquetry::extract
