// The paths between registers of a design's hardware that may be its longest, from its plan: what
// clocks are estimated by (engine/cost/clock_estimate.h). They follow the modules' writers; those
// that are shorter than one of them in every design are left out.
//
// Complexity: linear in the plan. Thread rule: pure.
#pragma once

#include "engine/cost/clock_estimate.h"
#include "engine/lower_design/lower_design.h"
#include "engine/lower_design/plan.h"

namespace marquetry::hdl {

/// `circuits`: of every stream unit.
std::vector<cost::ClockPath> clockPaths(const RtlPlan& plan, const UnitCircuits& circuits);

} // namespace marquetry::hdl
