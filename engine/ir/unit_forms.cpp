#include "engine/ir/unit_forms.h"

#include <algorithm>

namespace marquetry::ir {

namespace {

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
    case OpKind::Requant:
        return whyNoRequant(program, value);
    case OpKind::LayerNorm:
        return info(value.params.to).bits > 16 ? "its result must have at most 16 bits" : nullptr;
    default:
        return nullptr;
    }
}

} // namespace marquetry::ir
