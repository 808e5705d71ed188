#include "engine/ir/product_limits.h"

#include "engine/ir/word_stencil.h"

namespace marquetry::ir {

namespace {

/// Steps of one layer that a sequencer has room for.
constexpr std::int64_t kMostBatches = 1024;
/// Numbers of the matrix of a filter along lines.
constexpr std::int64_t kMostSpread = std::int64_t{1} << 22;
/// Columns of padding of a filter along lines whose kernel is no weight.
constexpr std::int64_t kMostCut = 64;
/// Of a word.
constexpr std::int64_t kMostLanes = 64;

} // namespace

std::string whyNoProducts(const Program& program, const Layer& layer) {
    const Value& value = program.value(layer.anchor);
    if (value.op == OpKind::Bmm && value.type.dims[0] > kMostBatches)
        return "each of its " + std::to_string(value.type.dims[0]) +
               " batches is a call, and there are 1024 at most";
    const std::int64_t columns = program.value(value.operands[0]).type.dims.back();
    if (value.op == OpKind::Conv1dW && columns > kMostSpread / value.type.dims[1] &&
        !wordStencil(program, layer, kMostLanes))
        return "it is a product with a matrix of " + std::to_string(value.type.dims[1]) + " × " +
               std::to_string(columns) + " numbers, of which there are " +
               std::to_string(kMostSpread) + " at most";
    if (value.op == OpKind::Conv1dW && !layer.weight && value.params.pad.left > kMostCut &&
        !wordStencil(program, layer, kMostLanes))
        return "its kernel is no weight, and each of the rows that padding cuts is copied by "
               "hardware of its own, with which no more than " +
               std::to_string(kMostCut) + " columns can be padded";
    return {};
}

} // namespace marquetry::ir
