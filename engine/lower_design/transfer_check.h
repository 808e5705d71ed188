// What loads and stores may move: each stream once, in bands one behind the other, and rows of
// external tensors (design/external_tensors.h) likewise between memory and one slot.
//
// Complexity: linear in the steps, and in the pairs of external tensors. Thread rule: pure.
#pragma once

#include "engine/design/schedule.h"
#include "engine/support/diagnostic.h"

namespace marquetry::hdl {

/// Slots and tensors have passed their checks. Errors: hdl-unsupported.
Diagnostics whyNoTransfers(const design::Schedule& schedule);

} // namespace marquetry::hdl
