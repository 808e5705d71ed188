// The shape of a layer's unit.
#include "engine/rules/lowering.h"

#include "engine/ir/views.h"
#include "engine/ir/word_stencil.h"
#include "engine/support/checked_math.h"

namespace marquetry::rules {

namespace {

using ir::Layer;
using ir::Program;
using ir::Shape;
using ir::UnitFunction;
using ir::UnitShape;

/// Columns of a convolution or an mv with the stored tensor: whole words of `lanes` (1: unpadded).
std::int64_t reductionLength(const Program& program, const Layer& layer, std::int64_t lanes) {
    const StoredExtent stored = storedExtent(program.value(layer.input).type);
    const std::int64_t channels = roundUp(stored.channels, lanes);
    const ir::Value& anchor = program.value(layer.anchor);
    if (anchor.op != ir::OpKind::Conv && anchor.op != ir::OpKind::DwConv)
        return stored.pixels() * channels;
    const Shape& weight = program.value(anchor.operands[1]).type.dims;
    return weight[1] * weight[2] * channels;
}

UnitShape passShape(const Program& program, const Layer& layer) {
    // A pass with a write-back visits what it reads; what it copies or computes alone, its result,
    // and a pool its own.
    const ir::ValueId visited = layer.lanewise           ? layer.anchor
                                : layer.epilogue.empty() ? layer.result
                                                         : layer.input;
    const StoredExtent stored = storedExtent(program.value(visited).type);
    UnitShape shape;
    shape.function = UnitFunction::Map;
    shape.operand = program.value(layer.input).type.scalar;
    shape.height = stored.height;
    shape.width = stored.width;
    shape.rows = stored.channels;
    return shape;
}

void setImage(UnitShape& shape, const ir::Value& anchor, const ir::Type& weight) {
    shape.height = anchor.type.dims[0];
    shape.width = anchor.type.dims[1];
    shape.kernel = {weight.dims[1], weight.dims[2]};
    shape.stride = anchor.params.stride;
}

void setStencil(UnitShape& shape, const ir::Value& anchor, std::int64_t kernel, bool alongLines) {
    shape.function = alongLines ? UnitFunction::Conv1DW : UnitFunction::Conv1DH;
    shape.kernel = kernel;
    shape.cols = kernel;
    shape.rows = anchor.type.dims[alongLines ? 1 : 0];
    (alongLines ? shape.height : shape.width) = anchor.type.dims[alongLines ? 0 : 1];
}

void setProduct(UnitShape& shape, const ir::Type& right, const ir::Value& anchor,
                std::int64_t lanes) {
    const ir::Shape& dims = anchor.type.dims;
    const bool batched = dims.size() == 3;
    shape.function = batched ? UnitFunction::Bmm : UnitFunction::Mm;
    shape.channels = batched ? dims[0] : 0;
    shape.height = dims[dims.size() - 2];
    shape.rows = dims.back();
    shape.cols = roundUp(right.dims.back(), lanes);
}

/// In words, the lines of an image are stored as pixels: along columns each channel is filtered on
/// its own, along lines all of a pixel are those of a row of a matrix, or its words pixels of an
/// image.
void setFilter(UnitShape& shape, const Program& program, const Layer& layer, std::int64_t lanes) {
    const ir::Value& anchor = program.value(layer.anchor);
    const ir::Shape& dims = anchor.type.dims;
    const std::int64_t kernel = program.value(anchor.operands[1]).type.elements();
    if (lanes == 1)
        return setStencil(shape, anchor, kernel, anchor.op == ir::OpKind::Conv1dW);
    if (const auto words = ir::wordStencil(program, layer, lanes)) {
        shape.function = UnitFunction::Conv;
        shape.height = words->lines;
        shape.width = words->width;
        shape.kernel = {1, words->words};
        shape.rows = shape.channels = lanes;
        shape.cols = words->words * lanes;
        return;
    }
    if (anchor.op == ir::OpKind::Conv1dW)
        return setProduct(shape, program.value(anchor.operands[0]).type, anchor, lanes);
    shape.function = UnitFunction::DwConv;
    shape.width = dims[0];
    shape.rows = dims[1];
    shape.kernel = {1, kernel};
    shape.cols = kernel;
}

/// The type of the operands that a layer streams. Numbers of odd width are stored as those of whole
/// bytes are, so that products of both share a unit: as the widest operands of the program's
/// products that store them.
ir::Scalar operandOf(const Program& program, const Layer& layer) {
    const ir::Scalar own = program.value(layer.input).type.scalar;
    ir::Scalar widest = own;
    if (!ir::isOddWidth(own))
        return own;
    for (const ir::Value& value : program.values) {
        const auto roles = ir::operandRoles(value.op);
        if (value.kind != ir::ValueKind::Op || !roles)
            continue;
        const ir::Scalar other = program.value(value.operands[roles->data]).type.scalar;
        if (ir::isStoredAs(own, other) && ir::info(other).bits > ir::info(widest).bits)
            widest = other;
    }
    return widest;
}

} // namespace

UnitShape shapeOf(const Program& program, const Layer& layer, std::int64_t lanes) {
    if (layer.pass)
        return passShape(program, layer);
    const ir::Value& anchor = program.value(layer.anchor);
    const ir::ValueId held = layer.weight ? *layer.weight : layer.others.front();
    const ir::Type& weight =
        program.value(anchor.operands[anchor.op == ir::OpKind::Mv ? 0 : 1]).type;
    UnitShape shape;
    shape.operand = operandOf(program, layer);
    shape.weight = program.value(held).type.scalar;
    shape.rows = anchor.op == ir::OpKind::Dot ? 1 : weight.dims[0];
    switch (anchor.op) {
    case ir::OpKind::Mm:
    case ir::OpKind::Bmm:
        setProduct(shape, weight, anchor, lanes);
        break;
    case ir::OpKind::Conv1dW:
    case ir::OpKind::Conv1dH:
        setFilter(shape, program, layer, lanes);
        break;
    case ir::OpKind::DwConv:
    case ir::OpKind::Conv:
        setImage(shape, anchor, weight);
        if (layer.lanewise) {
            shape.function = UnitFunction::DwConv;
            shape.cols = shape.kernel.area();
            break;
        }
        shape.function = UnitFunction::Conv;
        // Of groups the unit computes all: weights outside a row's group are zero.
        shape.cols = reductionLength(program, layer, lanes);
        shape.channels = shape.cols / shape.kernel.area();
        break;
    default:
        shape.cols = reductionLength(program, layer, lanes);
        break;
    }
    return shape;
}

} // namespace marquetry::rules
