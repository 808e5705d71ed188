// The names of a design's modules, and of the instances and streams of its top.
//
// They follow the names in the schedule. Whatever those are, no two names of the modules, of the
// top's signals or of its instances differ in case only, and none is reserved (reserved_words.h).
// Complexity: linear in the schedule but for names that collide. Thread rule: pure.
#pragma once

#include "engine/hdl/names.h"
#include "engine/hdl/plan.h"

namespace marquetry::hdl {

/// Fills in every `name` and `module` of a plan that is complete but for them.
void namePlan(const design::Schedule& schedule, RtlPlan& plan);

/// Takes the names of the top's signals that bear a stream's name.
void takeStreamSignals(const RtlPlan& plan, NameTable& names);

} // namespace marquetry::hdl
