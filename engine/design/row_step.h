// Steps that compute a function of each row (softmax, layernorm), or of each element and another
// (sums, differences, products, entries of a table), as hardware reads and writes them.
//
// Units: lanes, runs, cycles. Complexity: O(1), and linear in constants. Thread rule: pure.
#pragma once

#include "engine/cost/row_timing.h"
#include "engine/design/move_hardware.h"
#include "engine/ir/layer.h"

#include <functional>

namespace marquetry::design {

/// The function of an operator that has rows; none of the others.
std::optional<cost::RowFunction> rowFunctionOf(ir::OpKind op);

/// The step of a layer of rows, or behind the sums of a layer that averages. `tensorAt`: where a
/// stored value is; the input of an average is the result itself.
RowStep rowStepOf(const ir::Program& program, const ir::LayerPlan& plan, const ir::Layer& layer,
                  const std::function<TensorId(ir::ValueId)>& tensorAt);

/// Writes a weight to where a stored tensor is.
RowStep constantStep(const ir::Value& weight, TensorId tensor);

/// Clocks of writing a weight so, with words of so many lanes.
std::int64_t constantCycles(const ir::Value& weight, std::int64_t lanes, std::int64_t frames);

/// Of a layer of rows or one that averages, with words of so many lanes.
cost::RowShape rowShape(const ir::Program& program, const ir::LayerPlan& plan,
                        const ir::Layer& layer, std::int64_t lanes);

cost::RowShape rowShape(const Schedule& schedule, const RowStep& step);

/// Where a step of a unit of rows begins, in runs.
struct RowPart {
    std::size_t step = 0; ///< index in the schedule
    std::int64_t from = 0, to = 0;
    std::int64_t other = 0; ///< of a step that has another tensor
};

/// The steps of each unit of rows, in the order of its first one: of a layer, those in groups of
/// frames that are alike but for where they begin. O(steps · log units).
std::vector<std::vector<std::size_t>> stepsOfRowUnits(const Schedule& schedule);
std::vector<RowPart> partsOfRowUnit(const Schedule& schedule,
                                    const std::vector<std::size_t>& steps);
/// LUT and FF are estimates.
device::Resources rowUnitResources(const Schedule& schedule, const std::vector<std::size_t>& steps);

/// A pass over the rows, and their results.
MoveSide rowSource(const Schedule& schedule, const RowStep& step);
MoveSide rowTarget(const Schedule& schedule, const RowStep& step);
/// Of a step that has another tensor.
MoveSide otherSource(const Schedule& schedule, const RowStep& step);

/// The words of a step's constants, one after another (cost::RowShape); numbers past the tensor's
/// extents are zero. `values`: the interpreter's tensors. Index: ValueId.
std::vector<std::int64_t> packConstants(const Schedule& schedule, const RowStep& step,
                                        const ir::Program& program,
                                        const std::vector<ir::Tensor>& values);

} // namespace marquetry::design
