// What the windows of a compute step take and where they reach.
//
// Units: words, pixels. Complexity: O(1). Thread rule: pure.
#pragma once

#include "engine/design/schedule.h"

namespace marquetry::design {

/// Iterations for a row of the kernel.
std::int64_t runWords(const Schedule& schedule, const ComputeStep& step);

/// Innermost iterations per result: those of all rows of the kernel.
std::int64_t reductionWords(const Schedule& schedule, const ComputeStep& step);

/// Whether some window of the step reaches out of its input.
bool readsOutside(const Schedule& schedule, const ComputeStep& step);

} // namespace marquetry::design
