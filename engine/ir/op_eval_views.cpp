// Views: operators that rearrange elements and compute nothing.
#include "engine/ir/op_functions.h"

#include <algorithm>

namespace marquetry::ir::cells {

namespace {

/// A tensor seen as outer × extent × inner around one axis.
struct AxisSplit {
    std::int64_t outer = 1;
    std::int64_t extent = 1;
    std::int64_t inner = 1;
};

AxisSplit split(const Shape& dims, std::int64_t axis) {
    AxisSplit parts;
    for (std::int64_t k = 0; k < std::ssize(dims); ++k) {
        std::int64_t& part = k < axis ? parts.outer : k == axis ? parts.extent : parts.inner;
        part *= dims[static_cast<std::size_t>(k)];
    }
    return parts;
}

} // namespace

void evalSlice(Operands operands, const OpParams& params, Tensor& result, Stop) {
    const AxisSplit parts = split(operands[0]->type.dims, params.axis);
    const std::int64_t run = (params.until - params.from) * parts.inner;
    for (std::int64_t outer = 0; outer < parts.outer; ++outer) {
        const auto from =
            operands[0]->data.begin() + (outer * parts.extent + params.from) * parts.inner;
        std::copy(from, from + run, result.data.begin() + outer * run);
    }
}

void evalConcat(Operands operands, const OpParams& params, Tensor& result, Stop) {
    auto out = result.data.begin();
    const AxisSplit a = split(operands[0]->type.dims, params.axis);
    const AxisSplit b = split(operands[1]->type.dims, params.axis);
    const std::int64_t runA = a.extent * a.inner;
    const std::int64_t runB = b.extent * b.inner;
    for (std::int64_t outer = 0; outer < a.outer; ++outer) {
        const auto fromA = operands[0]->data.begin() + outer * runA;
        const auto fromB = operands[1]->data.begin() + outer * runB;
        out = std::copy(fromA, fromA + runA, out);
        out = std::copy(fromB, fromB + runB, out);
    }
}

void evalCopy(Operands operands, const OpParams&, Tensor& result, Stop) {
    result.data = operands[0]->data;
}

void evalTranspose(Operands operands, const OpParams&, Tensor& result, Stop stop) {
    const OpParams swap{.list = {1, 0}};
    evalPermute(operands, swap, result, stop);
}

void evalPermute(Operands operands, const OpParams& params, Tensor& result, Stop stop) {
    const Shape& in = operands[0]->type.dims;
    const Shape& out = result.type.dims;
    // Step in the operand for one step along each axis of the result.
    std::vector<std::int64_t> steps;
    for (const std::int64_t axis : params.list)
        steps.push_back(split(in, axis).inner);
    std::vector<std::int64_t> index(out.size(), 0);
    std::int64_t from = 0;
    forElements(result.data.size(), stop, [&](std::size_t k) {
        result.data[k] = operands[0]->data[static_cast<std::size_t>(from)];
        for (std::size_t axis = out.size(); axis-- > 0;) {
            from += steps[axis];
            if (++index[axis] < out[axis])
                break;
            from -= steps[axis] * out[axis];
            index[axis] = 0;
        }
    });
}

} // namespace marquetry::ir::cells
