// Which forms of the operators units are made for.
//
// The language has more: layers of other forms have no unit, no cost and no schedule.
// Thread rule: pure.
#pragma once

#include "engine/ir/program.h"

namespace marquetry::ir {

/// Null when a unit, or a pass, can be asked for this use of an operator; else why not.
const char* whyNoForm(const Program& program, const Value& value);

} // namespace marquetry::ir
