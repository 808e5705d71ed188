// Queues of a schedule whose steps have an order (design/step_queues.h): each step runs where it
// can, and none begins while one that it could meet is running.
//
// Complexity: O(steps). Thread rule: pure.
#pragma once

#include "engine/design/schedule.h"
#include "engine/support/diagnostic.h"

namespace marquetry::hdl {

/// Each names the step, or the two that may meet. Errors: hdl-unsupported.
Diagnostics whyNoOrder(const design::Schedule& schedule);

} // namespace marquetry::hdl
