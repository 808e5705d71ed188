#include "engine/design/row_step.h"

#include "engine/support/checked_math.h"

namespace marquetry::design {

namespace {

MoveSide sideOf(const Schedule& schedule, TensorId id, std::int64_t run) {
    const StoredTensor& tensor = schedule.tensor(id);
    const std::int64_t runs = ceilDiv(tensor.channels, run);
    Walk walk;
    if (tensor.pixels > 1)
        walk.loops.push_back({tensor.pixels, layoutOf(schedule, id).lanes});
    if (runs > 1)
        walk.loops.push_back({runs, run});
    return slotSide(schedule, id, walk, run);
}

} // namespace

std::optional<cost::RowFunction> rowFunctionOf(ir::OpKind op) {
    if (op == ir::OpKind::Softmax)
        return cost::RowFunction::Softmax;
    if (op == ir::OpKind::LayerNorm)
        return cost::RowFunction::LayerNorm;
    return std::nullopt;
}

cost::RowShape rowShape(const ir::Value& value, const ir::Type& rows, std::int64_t lanes) {
    cost::RowShape shape;
    shape.function = *rowFunctionOf(value.op);
    shape.rows = value.type.dims[0];
    shape.columns = value.type.dims[1];
    shape.run = cost::rowRun(lanes);
    shape.operandBits = ir::storedBits(rows.scalar);
    shape.resultBits = ir::info(value.type.scalar).bits;
    shape.shift = value.params.shift;
    return shape;
}

cost::RowShape rowShape(const Schedule& schedule, const RowStep& step) {
    const StoredTensor& input = schedule.tensor(step.input);
    cost::RowShape shape;
    shape.function = step.function;
    shape.rows = input.pixels;
    shape.columns = input.channels;
    shape.run = cost::rowRun(schedule.lanes);
    shape.operandBits = ir::storedBits(input.scalar);
    shape.resultBits = ir::info(schedule.tensor(step.output).scalar).bits;
    shape.shift = step.shift;
    return shape;
}

MoveSide rowSource(const Schedule& schedule, const RowStep& step) {
    return sideOf(schedule, step.input, cost::rowRun(schedule.lanes));
}

MoveSide rowTarget(const Schedule& schedule, const RowStep& step) {
    return sideOf(schedule, step.output, cost::rowRun(schedule.lanes));
}

} // namespace marquetry::design
