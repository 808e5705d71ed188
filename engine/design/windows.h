// What the windows of a compute step take and where they reach.
//
// Units: words, pixels. Complexity: O(1). Thread rule: pure.
#pragma once

#include "engine/design/schedule.h"

namespace marquetry::design {

/// Innermost iterations per result: kernel · channelWords.
std::int64_t reductionWords(const ComputeStep& step);

/// Whether some window of the step reaches out of its input.
bool readsOutside(const Schedule& schedule, const ComputeStep& step);

} // namespace marquetry::design
