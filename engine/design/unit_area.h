// LUTs and flip-flops around the rows of a unit: the register of its operands, sums that wait for
// their turn, and, where results are only shifted, the lanes that they leave by.
//
// A lane has the stages of all calls of its unit, in the order of Epilogue: a register for the
// shifted value, as wide as the least shift leaves it, and one for the saturated value; sums and
// pools have one each. Calls that differ in a stage choose among its forms. Lanes that scale are
// priced by cost/write_back.h. Cells of the 7 series. Complexity: linear in the steps. Thread rule:
// pure.
#pragma once

#include "engine/design/schedule.h"
#include "engine/device/resources.h"

namespace marquetry::design {

/// Not of a stream unit (cost/stream_unit.h).
device::Resources surroundingResources(const Schedule& schedule, UnitId unit);

} // namespace marquetry::design
