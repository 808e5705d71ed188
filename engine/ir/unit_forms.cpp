#include "engine/ir/unit_forms.h"

#include <algorithm>

namespace marquetry::ir {

namespace {

/// A lane of a word is one channel, and its result lies in the same lane.
const char* whyNoLanes(const Program& program, const Value& value) {
    const bool several = program.value(value.operands[1]).type.dims[0] !=
                         program.value(value.operands[0]).type.dims.back();
    return several ? "each channel must have one result" : nullptr;
}

const char* whyNoRequant(const OpParams& params) {
    if (params.vectors & ~kVectorMul)
        return "an addend or a shift per channel has no unit";
    return params.add != 0 || params.round != Rounding::Up ? "it must round half up and add nothing"
                                                           : nullptr;
}

} // namespace

const char* whyNoForm(const Program& program, const Value& value) {
    const auto isOdd = [&](ValueId id) { return isOddWidth(program.value(id).type.scalar); };
    if (isOddWidth(value.type.scalar) || std::ranges::any_of(value.operands, isOdd))
        return "elements must have 8, 16 or 32 bits";
    switch (value.op) {
    case OpKind::DwConv:
        return whyNoLanes(program, value);
    case OpKind::Requant:
        return whyNoRequant(value.params);
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
