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

/// Without padding all windows hold as many elements, and the average is their sum.
const char* whyNoAverage(const OpParams& params) {
    return params.pad.isNone() && params.padAfter == 0
               ? nullptr
               : "with padding, its windows hold different numbers of elements";
}

/// Larger ones cannot be written as a number either.
constexpr std::int64_t kLargestShift = 62;

const char* whyNoRequant(const Program& program, const Value& value) {
    const OpParams& params = value.params;
    if (!(params.vectors & kVectorShift))
        return nullptr;
    const Range& shifts = program.value(value.operands.back()).range;
    if (shifts.hi > kLargestShift)
        return "its shifts must be at most 62";
    const bool ties =
        params.tie == 0 || (shifts.lo > 0 && params.tie < std::int64_t{1} << (shifts.lo - 1));
    return ties ? nullptr : "its tie must be smaller than half of what each channel divides by";
}

} // namespace

const char* whyNoForm(const Program& program, const Value& value) {
    switch (value.op) {
    case OpKind::DwConv:
        return whyNoLanes(program, value);
    case OpKind::Requant:
        return whyNoRequant(program, value);
    case OpKind::AvgPool:
        return whyNoAverage(value.params);
    case OpKind::Table:
        return isOddWidth(program.value(value.operands[0]).type.scalar)
                   ? "what it looks up must have 8 bits"
                   : nullptr;
    case OpKind::LayerNorm:
        return info(value.params.to).bits > 16 ? "its result must have at most 16 bits" : nullptr;
    default:
        return nullptr;
    }
}

} // namespace marquetry::ir
