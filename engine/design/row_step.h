// Steps that compute a function of each row (softmax, layernorm) as hardware reads and writes them.
//
// Units: lanes, runs, cycles. Complexity: O(1). Thread rule: pure.
#pragma once

#include "engine/cost/row_timing.h"
#include "engine/design/move_hardware.h"

namespace marquetry::design {

/// The function of an operator that has rows; none of the others.
std::optional<cost::RowFunction> rowFunctionOf(ir::OpKind op);

/// Of a value that such an operator computes of rows of this type.
cost::RowShape rowShape(const ir::Value& value, const ir::Type& rows, std::int64_t lanes);

cost::RowShape rowShape(const Schedule& schedule, const RowStep& step);

/// A pass over the rows, and their results.
MoveSide rowSource(const Schedule& schedule, const RowStep& step);
MoveSide rowTarget(const Schedule& schedule, const RowStep& step);

} // namespace marquetry::design
