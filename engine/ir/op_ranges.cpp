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

/// Of what windows see: the input's elements and, where there is any, padding.
Range seen(const Range& x, const OpParams& params) {
    if (params.pad.isNone())
        return x;
    return {std::min(x.lo, params.fill), std::max(x.hi, params.fill)};
}

/// Sum of `count` products.
Range sumOfProducts(const Range& x, const Range& w, std::int64_t count) {
    const Range term = rangeProduct(x, w);
    return {count * term.lo, count * term.hi};
}

} // namespace

Range convRange(Types operands, Ranges ranges, const OpParams& params) {
    const Shape& w = operands[1].dims;
    return sumOfProducts(seen(ranges[0], params), ranges[1], w[1] * w[2] * w[3]);
}

Range dwconvRange(Types operands, Ranges ranges, const OpParams& params) {
    const Shape& w = operands[1].dims;
    return sumOfProducts(seen(ranges[0], params), ranges[1], w[1] * w[2]);
}

Range conv1dRange(Types operands, Ranges ranges, const OpParams& params) {
    return sumOfProducts(seen(ranges[0], params), ranges[1], operands[1].dims[0]);
}

Range dotRange(Types operands, Ranges ranges, const OpParams&) {
    return sumOfProducts(ranges[0], ranges[1], operands[0].dims.back());
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
    const Range x = ranges[0];
    const auto at = [&](std::int64_t n) { return leakyValue(std::clamp(n, x.lo, x.hi), params); };
    return hull({at(x.lo), at(x.hi), at(-1), at(0)});
}

Range requantRange(Types, Ranges ranges, const OpParams& params) {
    // Monotone in x·mul and in the addend; x·mul has its extremes in the corners, and the effect of
    // a shift has them at the ends of its range.
    std::size_t next = 1;
    const auto of = [&](unsigned vector, std::int64_t number) {
        return params.vectors & vector ? ranges[next++] : Range{number, number};
    };
    const Range mul = of(kVectorMul, params.mul), add = of(kVectorAdd, params.add),
                shift = of(kVectorShift, params.shift);
    Range all{INT64_MAX, INT64_MIN};
    for (const std::int64_t x : {ranges[0].lo, ranges[0].hi})
        for (const std::int64_t m : {mul.lo, mul.hi})
            for (const std::int64_t b : {add.lo, add.hi})
                for (const std::int64_t s : {shift.lo, shift.hi}) {
                    const std::int64_t y = requantize(x, {m, b, s}, params);
                    all = {std::min(all.lo, y), std::max(all.hi, y)};
                }
    return all;
}

Range qaddRange(Types, Ranges ranges, const OpParams& params) {
    const auto term = [&](std::size_t k) {
        return rangeProduct(ranges[k], {params.muls[k], params.muls[k]});
    };
    const auto at = [&](std::int64_t sum) {
        return saturated(roundedShift(Int128{sum} + params.add, params.shift, params), params);
    };
    return {at(term(0).lo + term(1).lo), at(term(0).hi + term(1).hi)};
}

Range clipRange(Types, Ranges ranges, const OpParams& params) {
    return {std::clamp(ranges[0].lo, params.lo, params.hi),
            std::clamp(ranges[0].hi, params.lo, params.hi)};
}

Range tableRange(Types, Ranges ranges, const OpParams&) {
    return ranges[1];
}

Range layernormRange(Types, Ranges, const OpParams& params) {
    return fullRange(params.to);
}

Range sumpoolRange(Types, Ranges ranges, const OpParams& params) {
    const std::int64_t count = params.size.vertical * params.size.horizontal;
    const Range x = seen(ranges[0], params);
    return {count * x.lo, count * x.hi};
}

Range avgpoolRange(Types operands, Ranges ranges, const OpParams& params) {
    Diagnostics ignored;
    const auto type = avgpoolType(operands, params, ignored);
    const std::int64_t scale = averageScale(operands[0], type->dims, params);
    return {scale * ranges[0].lo, scale * ranges[0].hi};
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
