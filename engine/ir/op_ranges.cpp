#include "engine/ir/op_functions.h"

#include <algorithm>

namespace marquetry::ir::cells {

namespace {

Range hull(std::initializer_list<std::int64_t> values) {
    return {std::min(values), std::max(values)};
}

Range rangeProduct(const Range& a, const Range& b) {
    return hull({a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi});
}

/// Sum of `count` products; some windows see fewer terms when they reach into zero padding.
Range sumOfProducts(Ranges ranges, std::int64_t count, bool padded) {
    Range term = rangeProduct(ranges[0], ranges[1]);
    if (padded)
        term = {std::min<std::int64_t>(term.lo, 0), std::max<std::int64_t>(term.hi, 0)};
    return {count * term.lo, count * term.hi};
}

} // namespace

Range convRange(Types operands, Ranges ranges, const OpParams& params) {
    const Shape& w = operands[1].dims;
    return sumOfProducts(ranges, w[1] * w[2] * w[3], params.pad > 0);
}

Range dwconvRange(Types operands, Ranges ranges, const OpParams& params) {
    const Shape& w = operands[1].dims;
    return sumOfProducts(ranges, w[1] * w[2], params.pad > 0);
}

Range conv1dRange(Types operands, Ranges ranges, const OpParams& params) {
    return sumOfProducts(ranges, operands[1].dims[0], params.pad > 0);
}

Range dotRange(Types operands, Ranges ranges, const OpParams&) {
    return sumOfProducts(ranges, operands[0].dims.back(), false);
}

Range addRange(Types, Ranges ranges, const OpParams&) {
    return {ranges[0].lo + ranges[1].lo, ranges[0].hi + ranges[1].hi};
}

Range subRange(Types, Ranges ranges, const OpParams&) {
    return {ranges[0].lo - ranges[1].hi, ranges[0].hi - ranges[1].lo};
}

Range mulRange(Types, Ranges ranges, const OpParams&) {
    return rangeProduct(ranges[0], ranges[1]);
}

Range reluRange(Types, Ranges ranges, const OpParams&) {
    return {std::max<std::int64_t>(ranges[0].lo, 0), std::max<std::int64_t>(ranges[0].hi, 0)};
}

Range leakyRange(Types, Ranges ranges, const OpParams& params) {
    // Monotone on each side of zero, so the ends of the two sides bound it.
    const auto [lo, hi] = ranges[0];
    const auto at = [&](std::int64_t x) { return leakyValue(std::clamp(x, lo, hi), params); };
    return hull({at(lo), at(hi), at(-1), at(0)});
}

Range requantRange(Types, Ranges ranges, const OpParams& params) {
    // Monotone in x·mul, and that product has its extremes in the corners.
    const Range mul = ranges.size() == 2 ? ranges[1] : Range{params.mul, params.mul};
    const Range& x = ranges[0];
    return hull({requantize(x.lo, mul.lo, params), requantize(x.lo, mul.hi, params),
                 requantize(x.hi, mul.lo, params), requantize(x.hi, mul.hi, params)});
}

Range sumpoolRange(Types, Ranges ranges, const OpParams& params) {
    const std::int64_t count = params.size * params.size;
    return {count * ranges[0].lo, count * ranges[0].hi};
}

Range sameRange(Types, Ranges ranges, const OpParams&) {
    return ranges[0];
}

Range concatRange(Types, Ranges ranges, const OpParams&) {
    return {std::min(ranges[0].lo, ranges[1].lo), std::max(ranges[0].hi, ranges[1].hi)};
}

Range softmaxRange(Types, Ranges, const OpParams&) {
    return {0, 255};
}

std::int64_t convMacs(Types operands, const OpParams& params) {
    Diagnostics ignored;
    const Shape& w = operands[1].dims;
    return convType(operands, params, ignored)->elements() * w[1] * w[2] * w[3];
}

std::int64_t dwconvMacs(Types operands, const OpParams& params) {
    Diagnostics ignored;
    const Shape& w = operands[1].dims;
    return dwconvType(operands, params, ignored)->elements() * w[1] * w[2];
}

std::int64_t conv1dWMacs(Types operands, const OpParams& params) {
    Diagnostics ignored;
    return conv1dWType(operands, params, ignored)->elements() * operands[1].dims[0];
}

std::int64_t conv1dHMacs(Types operands, const OpParams& params) {
    Diagnostics ignored;
    return conv1dHType(operands, params, ignored)->elements() * operands[1].dims[0];
}

std::int64_t mmMacs(Types operands, const OpParams&) {
    return operands[0].elements() * operands[1].dims[0];
}

std::int64_t bmmMacs(Types operands, const OpParams&) {
    return operands[0].elements() * operands[1].dims[1];
}

std::int64_t firstOperandMacs(Types operands, const OpParams&) {
    return operands[0].elements();
}

std::int64_t noMacs(Types, const OpParams&) {
    return 0;
}

} // namespace marquetry::ir::cells
