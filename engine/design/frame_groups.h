// Frames of a run in groups, so that several are in flight: a group is begun before the one before
// has ended, loads and stores run beside calls, and calls of the second queue beside those of the
// first (design/step_queues.h).
//
// A group has the steps of a run of as many frames. What streams bring and take lies in rings, of
// slots of their own, with room for as many groups as are begun at once; of the other slots there
// are as many copies, which the groups take in turns. Steps begin by list scheduling
// (design/band_order.h), groups at intervals of about the clocks of the queue that has most to do:
// so one is at its first layers while another is at its last ones.
//
// Complexity: O(groups · steps³), as steps may read what all before them made. Thread rule: pure.
#pragma once

#include "engine/design/schedule.h"

#include <cstdint>
#include <string>

namespace marquetry::design {

struct FrameGroups {
    std::int64_t number = 2; ///< of a run
    std::int64_t atOnce = 2; ///< of which some steps are begun and others are not
};

/// Why the frames of a run with these steps come in one group; empty: they may come in several.
std::string whyOneGroup(const Schedule& group);

/// Clocks of the queue that has most to do for a group: a run of n groups takes n times that at
/// least.
std::int64_t leastClocks(const Schedule& group);

/// A run of groups, each of which has these steps, where whyOneGroup finds no reason.
Schedule inGroups(const Schedule& group, FrameGroups groups);

} // namespace marquetry::design
