#include "engine/ir/unit_forms.h"

#include <algorithm>

namespace marquetry::ir {

namespace {

const char* whyNoWindow(const Program& program, const Value& value) {
    const OpParams& params = value.params;
    const Shape& weights = program.value(value.operands[1]).type.dims;
    if (weights[1] != weights[2])
        return "windows must be square";
    if (!params.stride.isSquare())
        return "strides must be the same for rows and columns";
    if (!params.pad.isEven())
        return "the padding must be the same on all sides";
    if (params.fill != 0 && !params.pad.isNone())
        return "padding must be 0";
    if (params.groups != 1)
        return "groups have no unit";
    const bool several = value.op == OpKind::DwConv &&
                         weights[0] != program.value(value.operands[0]).type.dims.back();
    return several ? "each channel must have one result" : nullptr;
}

const char* whyNoRequant(const OpParams& params) {
    if (params.vectors & ~kVectorMul)
        return "an addend or a shift per channel has no unit";
    return params.add != 0 || params.round != Rounding::Up ? "it must round half up and add nothing"
                                                           : nullptr;
}

const char* whyNoPool(const OpParams& params) {
    if (!params.size.isSquare() || !params.stride.isSquare())
        return "windows and strides must be square";
    return params.pad.isNone() ? nullptr : "padding has no unit";
}

} // namespace

const char* whyNoForm(const Program& program, const Value& value) {
    const auto isOdd = [&](ValueId id) { return isOddWidth(program.value(id).type.scalar); };
    if (isOddWidth(value.type.scalar) || std::ranges::any_of(value.operands, isOdd))
        return "elements must have 8, 16 or 32 bits";
    switch (value.op) {
    case OpKind::Conv:
    case OpKind::DwConv:
        return whyNoWindow(program, value);
    case OpKind::Requant:
        return whyNoRequant(value.params);
    case OpKind::MaxPool:
    case OpKind::SumPool:
        return whyNoPool(value.params);
    case OpKind::LayerNorm:
    case OpKind::QAdd:
    case OpKind::Clip:
    case OpKind::Table:
    case OpKind::AvgPool:
    case OpKind::Upsample:
    case OpKind::DepthToSpace:
        return "no unit computes it yet";
    default:
        return nullptr;
    }
}

} // namespace marquetry::ir
