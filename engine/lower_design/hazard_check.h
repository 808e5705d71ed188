// Races and deadlocks of a schedule: the words of a tensor that is read are those that a step
// before wrote for it, and weights that come from external memory find a place.
//
// Steps run one after another, but for joined ones (design/join.h), so a tensor is whole when a
// later step reads it; what must be proved is that its words still hold it. Of moves that fill a
// tensor in parts, the first counts for all. External words come, are used and are freed in one
// order (design/weight_image.h), so a call goes on if and only if a block of it fits the ring of
// its unit.
// Complexity: steps · words of the slots they use. Thread rule: pure.
#pragma once

#include "engine/design/schedule.h"
#include "engine/support/diagnostic.h"

namespace marquetry::hdl {

/// Each names the two steps, or the step and the ring. Errors: hdl-unsupported.
Diagnostics hazardsOf(const design::Schedule& schedule);

} // namespace marquetry::hdl
