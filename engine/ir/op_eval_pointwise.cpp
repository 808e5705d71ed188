// Operators that treat elements one by one, or a window or row of them without products.
#include "engine/ir/op_functions.h"

#include <algorithm>

namespace marquetry::ir::cells {

namespace {

/// b's element for each of a's: shapes are equal, or b is a's last dimension.
template <class F>
void elementwise(Operands operands, Tensor& result, Stop stop, F f) {
    const auto& a = operands[0]->data;
    const auto& b = operands[1]->data;
    forElements(a.size(), stop, [&](std::size_t k) {
        result.data[k] = wrap(Scalar::I32, f(a[k], b[k % b.size()]));
    });
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

Int128 roundedShift(Int128 value, std::int64_t shift, const OpParams& params) {
    shift = std::min<std::int64_t>(shift, 120);
    if (shift == 0)
        return value;
    const Int128 half = Int128{1} << (shift - 1);
    const Int128 floor = value >> shift;
    switch (params.round) {
    case Rounding::Up:
        return (value + half) >> shift;
    case Rounding::Down:
        return floor;
    case Rounding::Away:
        return value >= 0 ? (value + half) >> shift : -((half - value) >> shift);
    case Rounding::Even:
        break;
    }
    const Int128 beyond = value - (floor << shift) - half;
    const bool tie = beyond <= params.tie && -beyond <= params.tie;
    return floor + (tie ? floor & 1 : Int128{beyond > 0});
}

std::int64_t saturated(Int128 value, const OpParams& params) {
    const ScalarInfo& to = info(params.to);
    return static_cast<std::int64_t>(
        std::clamp(value + params.zero, static_cast<Int128>(to.min), static_cast<Int128>(to.max)));
}

std::int64_t requantize(std::int64_t x, const RequantFactors& by, const OpParams& params) {
    return saturated(roundedShift(Int128{x} * by.mul + by.add, by.shift, params), params);
}

void evalRequant(Operands operands, const OpParams& params, Tensor& result, Stop stop) {
    std::size_t next = 1;
    const auto factor = [&](unsigned vector, std::int64_t number) {
        return params.vectors & vector ? operands[next++]->data : std::vector<std::int64_t>{number};
    };
    const auto mul = factor(kVectorMul, params.mul), add = factor(kVectorAdd, params.add),
               shift = factor(kVectorShift, params.shift);
    const auto& x = operands[0]->data;
    forElements(x.size(), stop, [&](std::size_t k) {
        result.data[k] = requantize(
            x[k], {mul[k % mul.size()], add[k % add.size()], shift[k % shift.size()]}, params);
    });
}

void evalQAdd(Operands operands, const OpParams& params, Tensor& result, Stop stop) {
    const auto& a = operands[0]->data;
    const auto& b = operands[1]->data;
    forElements(a.size(), stop, [&](std::size_t k) {
        const Int128 sum = Int128{a[k]} * params.muls[0] + Int128{b[k]} * params.muls[1];
        result.data[k] = saturated(roundedShift(sum + params.add, params.shift, params), params);
    });
}

void evalClip(Operands operands, const OpParams& params, Tensor& result, Stop stop) {
    const auto& x = operands[0]->data;
    forElements(x.size(), stop,
                [&](std::size_t k) { result.data[k] = std::clamp(x[k], params.lo, params.hi); });
}

void evalTable(Operands operands, const OpParams&, Tensor& result, Stop stop) {
    const auto& x = operands[0]->data;
    const auto& table = operands[1]->data;
    const std::int64_t least = info(operands[0]->type.scalar).min;
    forElements(x.size(), stop, [&](std::size_t k) {
        result.data[k] = table[static_cast<std::size_t>(x[k] - least)];
    });
}

} // namespace marquetry::ir::cells
