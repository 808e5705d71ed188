// The nest of a compute step, and where its operands and weights lie. Thread rule: pure.
#pragma once

#include "engine/lower_design/plan.h"

namespace marquetry::hdl {

PerLevel nestBounds(const design::Schedule& schedule, const design::ComputeStep& step,
                    const UnitPlan& unit);

/// Input, weights, and what tells the padding; `plan` has its bounds.
void planOperands(const design::Schedule& schedule, const design::ComputeStep& step,
                  const UnitPlan& unit, StepPlan& plan);

} // namespace marquetry::hdl
