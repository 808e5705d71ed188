// Schedule → modules: one top, one module per unit, per slot and per stream, one sequencer.
//
// check() says what the hardware cannot do, before anything is generated; lowerDesign() never
// fails on a schedule that passed. Same schedule and weights, same modules, byte for byte.
// Errors (code hdl-unsupported, naming the layer, port or unit): requant with a multiplier other
// than 1, an offset past 31 bits or to a type without hardware; leaky with a slope of 1 or more;
// operand types without hardware; lanes or parallel not a power of two; a call that reads and
// writes one slot; a stream used twice.
// Complexity: linear in steps + multipliers + weights. Thread rule: pure.
#pragma once

#include "engine/design/schedule.h"
#include "engine/hdl/netlist.h"
#include "engine/support/result.h"

namespace marquetry::hdl {

/// Everything in the schedule that has no hardware; empty when it can be generated.
Status check(const design::Schedule& schedule);

/// `packed`: design::packWeights of every unit. Index: UnitId. The memory files of a unit whose
/// entry is empty have no text.
Netlist lowerDesign(const design::Schedule& schedule,
                    const std::vector<std::vector<std::int64_t>>& packed);

} // namespace marquetry::hdl
