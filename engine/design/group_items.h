// What a group of frames begins one by one: its steps, or two that are joined, with the queue of
// each and the items that it comes behind (design/frame_groups.h).
//
// Complexity: O(steps³), as steps may read what all before them made. Thread rule: pure.
#pragma once

#include "engine/design/band_order.h"
#include "engine/design/schedule.h"

#include <cstdint>
#include <vector>

namespace marquetry::design {

struct GroupItem {
    std::size_t step = 0;
    std::size_t steps = 1;
    std::vector<std::size_t> after; ///< items that end before it begins
    BandItem form;                  ///< but for the group
};

/// Of the steps of a group, in their order. `queueOfEach`: each unit of products has a queue, and
/// those of the other units share some.
std::vector<GroupItem> groupItems(const Schedule& group, bool queueOfEach);

/// Clocks of the queue that has most to do.
std::int64_t mostInAQueue(const std::vector<GroupItem>& items);

/// What a load or a store moves; null of other steps.
const TensorId* transferredBy(const Step& step);

/// It reads the weights that moves write, or writes them.
bool usesHeldWeights(const Step& step);

} // namespace marquetry::design
