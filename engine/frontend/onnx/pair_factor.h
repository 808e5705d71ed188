// Integers that add two quantised tensors of different scales exactly, in one rounding.
//
// In:  x·a + y·b + c for all x and y of two ranges, rounded half to even; bounds of the result.
// Out: (x·A + y·B + C) / 2^shift with a tie window, equal to the exact rounding for every pair that
//      is not saturated alike. The shift is the least for which the greatest error of the integers
//      is below the least distance of an exact value from a half; that distance is found by looking
//      at every pair, or is known where the denominator is a power of two.
// Errors: requant-multiplier (an answer: more than 32 bits would be needed, or there are more pairs
// than are looked at). Thread rule: pure.
#pragma once

#include "engine/ir/op.h"
#include "engine/quant/rational.h"
#include "engine/support/result.h"

#include <array>
#include <string>

namespace marquetry::frontend::onnx {

struct PairRequest {
    std::array<quant::Rational, 2> factors;
    quant::Rational addend;
    std::array<ir::Range, 2> ranges;
    std::int64_t zero = 0;
    std::int64_t least = -128, greatest = 127;
};

/// Of a number above 0: a denominator.
inline bool isPowerOfTwo(const quant::Integer& value) {
    return (value & (value - 1)) == 0;
}

/// More are not looked at.
inline constexpr std::int64_t kMostPairs = 1 << 20;
/// As many pairs of values there are; at most 2^63 − 1.
std::int64_t pairsOf(const PairRequest& request);

struct PairFactor {
    std::array<std::int64_t, 2> muls{};
    std::int64_t add = 0;
    std::int64_t zero = 0; ///< the request's, with an even part of the addend
    unsigned shift = 0;
    std::int64_t tie = 0;
    bool halfUpWill = false; ///< there are no exact ties
    std::string proof;
};

Result<PairFactor> pairFactor(const PairRequest& request);

} // namespace marquetry::frontend::onnx
