// One use of an operator in a program: typed, and with the range of its elements.
//
// Errors (without place): those of inferType. Thread rule: pure.
#pragma once

#include "engine/ir/program.h"

namespace marquetry::ir {

/// `use` has operator, operands and parameters; the result has type, range and multiply–accumulates
/// besides. Warnings: dropped-elements, may-wrap.
Result<Value> checkedUse(const Program& program, Value use, Diagnostics& warnings);

} // namespace marquetry::ir
