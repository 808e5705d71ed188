// Operators whose results need a whole row.
#include "engine/ir/op_functions.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace marquetry::ir::cells {

namespace {

/// T[k] = 255·2^(−k/16), rounded half up. Only T[16] = 127.5 is a tie, and it is exact in binary.
std::array<std::int64_t, 256> makeExponentials() {
    std::array<std::int64_t, 256> table{};
    for (std::size_t k = 0; k < table.size(); ++k)
        table[k] = static_cast<std::int64_t>(
            std::floor(255.0 * std::exp2(-static_cast<double>(k) / 16.0) + 0.5));
    return table;
}

/// ⌊√value⌋.
Int128 rootOf(Int128 value) {
    Int128 root = 0;
    for (Int128 bit = Int128{1} << 62; bit > 0; bit >>= 1)
        if ((root + bit) * (root + bit) <= value)
            root += bit;
    return root;
}

Int128 floorDiv(Int128 a, Int128 b) {
    return a / b - Int128{a % b < 0};
}

} // namespace

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

void evalLayerNorm(Operands operands, const OpParams& params, Tensor& result, Stop stop) {
    const std::int64_t length = operands[0]->type.dims[1];
    const auto& x = operands[0]->data;
    for (auto row = x.begin(); row != x.end() && !stop.stop_requested(); row += length) {
        Int128 sum = 0, squares = 0;
        for (auto element = row; element != row + length; ++element)
            sum += *element;
        for (auto element = row; element != row + length; ++element) {
            const Int128 distance = Int128{length} * *element - sum;
            squares += distance * distance;
        }
        const Int128 deviation = std::max<Int128>(1, rootOf((squares << 16) / length));
        std::transform(
            row, row + length, result.data.begin() + (row - x.begin()), [&](std::int64_t element) {
                const Int128 distance = Int128{length} * element - sum;
                return saturated(
                    floorDiv((distance << (params.shift + 8)) + deviation / 2, deviation), params);
            });
    }
}

} // namespace marquetry::ir::cells
