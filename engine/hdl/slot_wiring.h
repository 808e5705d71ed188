// The memory of a slot in the top module: who reads it, who writes it, and which groups.
//
// Thread rule: pure but for the body written to.
#pragma once

#include "engine/hdl/modules.h"

namespace marquetry::hdl {

void wireSlot(Body& body, const RtlPlan& plan, const design::Schedule& schedule, std::size_t slot);

} // namespace marquetry::hdl
