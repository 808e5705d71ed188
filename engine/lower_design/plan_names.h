// The names that a design's modules and signals ask for; rtl/scope.h gives them.
//
// They follow the names in the schedule. Slots, units and streams are told apart by more than the
// case of their letters: reports and vector files call them so. Complexity: linear in the schedule
// but for names that collide. Thread rule: pure.
#pragma once

#include "engine/lower_design/plan.h"

namespace marquetry::hdl {

/// Fills in every `name` and `module` of a plan that is complete but for them.
void namePlan(const design::Schedule& schedule, RtlPlan& plan);

} // namespace marquetry::hdl
