// Operators that treat elements one by one, or a window or row of them without products.
#include "engine/ir/op_functions.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace marquetry::ir::cells {

namespace {

__extension__ using Int128 = __int128;

/// b's element for each of a's: shapes are equal, or b is a's last dimension.
template <class F>
void elementwise(Operands operands, Tensor& result, Stop stop, F f) {
    const auto& a = operands[0]->data;
    const auto& b = operands[1]->data;
    forElements(a.size(), stop, [&](std::size_t k) {
        result.data[k] = wrap(Scalar::I32, f(a[k], b[k % b.size()]));
    });
}

/// Reduces each pooling window, clipped to the input, with f, starting from `start`.
template <class F>
void pool(const Tensor& x, const OpParams& params, Tensor& result, Stop stop, std::int64_t start,
          F f) {
    const Shape& in = x.type.dims;
    const Shape& out = result.type.dims;
    std::size_t k = 0;
    for (std::int64_t oy = 0; oy < out[0]; ++oy) {
        for (std::int64_t ox = 0; ox < out[1]; ++ox) {
            const std::int64_t bottom = std::min(oy * params.stride + params.size, in[0]);
            const std::int64_t right = std::min(ox * params.stride + params.size, in[1]);
            for (std::int64_t c = 0; c < out[2]; ++c) {
                if (stop.stop_requested())
                    return;
                std::int64_t value = start;
                for (std::int64_t y = oy * params.stride; y < bottom; ++y) {
                    for (std::int64_t column = ox * params.stride; column < right; ++column)
                        value =
                            f(value,
                              x.data[static_cast<std::size_t>((y * in[1] + column) * in[2] + c)]);
                }
                result.data[k++] = value;
            }
        }
    }
}

/// T[k] = 255·2^(−k/16), rounded half up. Only T[16] = 127.5 is a tie, and it is exact in binary.
std::array<std::int64_t, 256> makeExponentials() {
    std::array<std::int64_t, 256> table{};
    for (std::size_t k = 0; k < table.size(); ++k)
        table[k] = static_cast<std::int64_t>(
            std::floor(255.0 * std::exp2(-static_cast<double>(k) / 16.0) + 0.5));
    return table;
}

} // namespace

void evalAdd(Operands operands, const OpParams&, Tensor& result, Stop stop) {
    elementwise(operands, result, stop, [](std::int64_t a, std::int64_t b) { return a + b; });
}

void evalSub(Operands operands, const OpParams&, Tensor& result, Stop stop) {
    elementwise(operands, result, stop, [](std::int64_t a, std::int64_t b) { return a - b; });
}

void evalMul(Operands operands, const OpParams&, Tensor& result, Stop stop) {
    elementwise(operands, result, stop, [](std::int64_t a, std::int64_t b) { return a * b; });
}

void evalRelu(Operands operands, const OpParams&, Tensor& result, Stop) {
    std::transform(operands[0]->data.begin(), operands[0]->data.end(), result.data.begin(),
                   [](std::int64_t x) { return std::max<std::int64_t>(x, 0); });
}

std::int64_t leakyValue(std::int64_t x, const OpParams& params) {
    return x >= 0 ? x : (x * params.num) >> params.shift;
}

void evalLeaky(Operands operands, const OpParams& params, Tensor& result, Stop stop) {
    const Scalar scalar = result.type.scalar;
    const auto& x = operands[0]->data;
    forElements(x.size(), stop,
                [&](std::size_t k) { result.data[k] = wrap(scalar, leakyValue(x[k], params)); });
}

std::int64_t requantize(std::int64_t x, std::int64_t mul, const OpParams& params) {
    const Int128 half = params.shift == 0 ? 0 : Int128{1} << (params.shift - 1);
    const Int128 value = ((Int128{x} * mul + half) >> params.shift) + params.zero;
    const ScalarInfo& to = info(params.to);
    return static_cast<std::int64_t>(
        std::clamp(value, static_cast<Int128>(to.min), static_cast<Int128>(to.max)));
}

void evalRequant(Operands operands, const OpParams& params, Tensor& result, Stop stop) {
    const auto& x = operands[0]->data;
    const std::vector<std::int64_t> one = {params.mul};
    const auto& mul = operands.size() == 2 ? operands[1]->data : one;
    forElements(x.size(), stop, [&](std::size_t k) {
        result.data[k] = requantize(x[k], mul[k % mul.size()], params);
    });
}

void evalMaxPool(Operands operands, const OpParams& params, Tensor& result, Stop stop) {
    pool(*operands[0], params, result, stop, std::numeric_limits<std::int64_t>::min(),
         [](std::int64_t a, std::int64_t b) { return std::max(a, b); });
}

void evalSumPool(Operands operands, const OpParams& params, Tensor& result, Stop stop) {
    pool(*operands[0], params, result, stop, 0,
         [](std::int64_t a, std::int64_t b) { return wrap(Scalar::I32, a + b); });
}

void evalSoftmax(Operands operands, const OpParams&, Tensor& result, Stop stop) {
    static const std::array<std::int64_t, 256> kExponentials = makeExponentials();
    const std::int64_t length = operands[0]->type.dims[1];
    const auto& x = operands[0]->data;
    for (auto row = x.begin(); row != x.end() && !stop.stop_requested(); row += length) {
        const std::int64_t peak = *std::max_element(row, row + length);
        const auto exponential = [&](std::int64_t value) {
            return kExponentials[static_cast<std::size_t>(
                std::min<std::int64_t>(255, peak - value))];
        };
        std::int64_t sum = 0;
        for (auto element = row; element != row + length; ++element)
            sum += exponential(*element);
        std::transform(
            row, row + length, result.data.begin() + (row - x.begin()),
            [&](std::int64_t value) { return (255 * exponential(value) + sum / 2) / sum; });
    }
}

} // namespace marquetry::ir::cells
