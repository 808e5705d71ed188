// Frames of a run in groups, so that several are in flight: a group is begun before the one before
// has ended, loads and stores run beside calls, and calls of the second queue beside those of the
// first (design/step_queues.h). Where each unit has a queue, all of them run at once, each on
// another group: several shared units side by side, or a pipeline of one unit per layer.
//
// A group has the steps of a run of as many frames. What streams bring and take lies in rings, of
// slots of their own, with room for as many groups as are begun at once; of the other slots there
// are as many copies, which the groups take in turns. Where each unit has a queue, each value has a
// place of its own instead, or several, in a slot of those values that the same queues write and
// read: steps meet at a port only where two queues read one value, and a group may be at any layer.
// A value that is read long after it was written needs more places than others. Steps
// begin by list scheduling (design/band_order.h), groups at intervals of about the clocks of the
// queue that has most to do: so one is at its first layers while another is at its last ones.
//
// Complexity: O(groups · steps³), as steps may read what all before them made. Thread rule: pure.
#pragma once

#include "engine/design/schedule.h"

#include <cstdint>
#include <optional>
#include <string>

namespace marquetry::design {

struct FrameGroups {
    std::int64_t number = 2; ///< of a run
    std::int64_t atOnce = 2; ///< of which some steps are begun and others are not
    /// No step keeps another from being begun: each unit of products has a queue, and those of the
    /// other units share some. `atOnce` groups have a place for each value.
    bool queueOfEach = false;
    /// Then, begun in rounds that are alike even where that is slower: tables have few steps.
    bool inRounds = false;
    /// Then, of each value no more places than such rounds need, a power of two.
    bool sparing = false;
};

/// Why the frames of a run with these steps come in one group; empty: they may come in several.
std::string whyOneGroup(const Schedule& group);

/// Clocks of the queue that has most to do for a group: a run of n groups takes n times that at
/// least.
std::int64_t leastClocks(const Schedule& group, bool queueOfEach);
/// Clocks from one round to the next, where the groups have places for rounds that are alike: a run
/// of many takes about as many times that. Nothing where there are no such rounds.
std::optional<std::int64_t> clocksOfRounds(const Schedule& group, FrameGroups groups);

/// A run of groups, each of which has these steps, where whyOneGroup finds no reason.
Schedule inGroups(const Schedule& group, FrameGroups groups);
/// The same group by group: what it stores and where, of as many groups.
Schedule placedInGroups(const Schedule& group, FrameGroups groups);

} // namespace marquetry::design
