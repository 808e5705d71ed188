// Pools, and what changes the number of pixels without products.
#include "engine/ir/op_functions.h"

#include "engine/support/checked_math.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>

namespace marquetry::ir::cells {

namespace {

/// Reduces what of each window lies inside; `finish` takes that and the number of elements.
template <class F, class G>
void pool(const Tensor& x, const OpParams& params, Tensor& result, Stop stop, std::int64_t start,
          F reduce, G finish) {
    const Shape& in = x.type.dims;
    const Shape& out = result.type.dims;
    const PoolAxis rows = poolRows(x.type, params), columns = poolColumns(x.type, params);
    std::size_t k = 0;
    for (std::int64_t oy = 0; oy < out[0]; ++oy) {
        const auto [top, bottom] = rows.inside(oy);
        for (std::int64_t ox = 0; ox < out[1]; ++ox) {
            const auto [left, right] = columns.inside(ox);
            const std::int64_t inside =
                std::max<std::int64_t>(0, bottom - top) * std::max<std::int64_t>(0, right - left);
            for (std::int64_t c = 0; c < out[2]; ++c) {
                if (stop.stop_requested())
                    return;
                std::int64_t value = start;
                for (std::int64_t y = top; y < bottom; ++y)
                    for (std::int64_t column = left; column < right; ++column)
                        value = reduce(
                            value,
                            x.data[static_cast<std::size_t>((y * in[1] + column) * in[2] + c)]);
                result.data[k++] = finish(value, inside);
            }
        }
    }
}

std::int64_t sumOf(std::int64_t a, std::int64_t b) {
    return wrap(Scalar::I32, a + b);
}

/// How many elements windows of the axis have inside: between the edges it is the same number.
/// Nothing when there are too many numbers.
std::set<std::int64_t> countsInside(const PoolAxis& axis, std::int64_t windows) {
    constexpr std::size_t kMost = 64;
    const std::int64_t usual = std::min(axis.size, axis.extent);
    std::set<std::int64_t> counts;
    const auto isEdge = [&](std::int64_t k) {
        const auto [from, to] = axis.inside(k);
        counts.insert(to - from);
        return to - from < usual && counts.size() <= kMost;
    };
    for (std::int64_t k = 0; k < windows && isEdge(k);)
        ++k;
    for (std::int64_t k = windows; k > 0 && isEdge(k - 1);)
        --k;
    return counts.size() <= kMost ? counts : std::set<std::int64_t>();
}

} // namespace

PoolAxis poolRows(const Type& x, const OpParams& params) {
    return {x.dims[0], params.size.vertical, params.stride.vertical, params.pad.top};
}

PoolAxis poolColumns(const Type& x, const OpParams& params) {
    return {x.dims[1], params.size.horizontal, params.stride.horizontal, params.pad.left};
}

std::int64_t averageScale(const Type& x, const Shape& windows, const OpParams& params) {
    const auto ofRows = countsInside(poolRows(x, params), windows[0]);
    const auto ofColumns = countsInside(poolColumns(x, params), windows[1]);
    if (ofRows.empty() || ofColumns.empty())
        return 0;
    std::int64_t scale = 1;
    for (const std::int64_t rows : ofRows)
        for (const std::int64_t columns : ofColumns) {
            const std::int64_t count = saturatingMul(rows, columns);
            if (count > std::numeric_limits<std::int32_t>::max())
                return 0;
            scale = std::lcm(scale, count);
            if (scale > std::numeric_limits<std::int32_t>::max())
                return 0;
        }
    return scale;
}

void evalMaxPool(Operands operands, const OpParams& params, Tensor& result, Stop stop) {
    pool(
        *operands[0], params, result, stop, std::numeric_limits<std::int64_t>::min(),
        [](std::int64_t a, std::int64_t b) { return std::max(a, b); },
        [](std::int64_t value, std::int64_t) { return value; });
}

void evalSumPool(Operands operands, const OpParams& params, Tensor& result, Stop stop) {
    const std::int64_t window = params.size.vertical * params.size.horizontal;
    pool(*operands[0], params, result, stop, 0, sumOf, [&](std::int64_t sum, std::int64_t inside) {
        return sumOf(sum, (window - inside) * params.fill);
    });
}

void evalAvgPool(Operands operands, const OpParams& params, Tensor& result, Stop stop) {
    const std::int64_t scale = averageScale(operands[0]->type, result.type.dims, params);
    pool(*operands[0], params, result, stop, 0, sumOf, [&](std::int64_t sum, std::int64_t inside) {
        return wrap(Scalar::I32, sum * (scale / inside));
    });
}

void evalUpsample(Operands operands, const OpParams& params, Tensor& result, Stop stop) {
    const Shape& in = operands[0]->type.dims;
    const Shape& out = result.type.dims;
    auto to = result.data.begin();
    for (std::int64_t y = 0; y < out[0] && !stop.stop_requested(); ++y)
        for (std::int64_t column = 0; column < out[1]; ++column) {
            const std::int64_t pixel =
                y / params.factor.vertical * in[1] + column / params.factor.horizontal;
            to = std::copy_n(operands[0]->data.begin() + pixel * in[2], in[2], to);
        }
}

void evalDepthToSpace(Operands operands, const OpParams& params, Tensor& result, Stop stop) {
    const Shape& in = operands[0]->type.dims;
    const Shape& out = result.type.dims;
    const std::int64_t block = params.block;
    std::size_t k = 0;
    for (std::int64_t y = 0; y < out[0] && !stop.stop_requested(); ++y)
        for (std::int64_t column = 0; column < out[1]; ++column)
            for (std::int64_t c = 0; c < out[2]; ++c) {
                const std::int64_t place = y % block * block + column % block;
                const std::int64_t channel = params.order == DepthOrder::Dcr
                                                 ? place * out[2] + c
                                                 : c * block * block + place;
                const std::int64_t pixel = y / block * in[1] + column / block;
                result.data[k++] =
                    operands[0]->data[static_cast<std::size_t>(pixel * in[2] + channel)];
            }
}

} // namespace marquetry::ir::cells
