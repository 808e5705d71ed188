// Requantisation of the sum of two quantised values with different scales, in one rounding.
//
// In:  a·r_a + b·r_b + c with exact factors, for all a and b of their ranges.
// Out: integers with saturate(R((a·mul_a + b·mul_b + add) / 2^shift) + zero) equal to
//      saturate(round(a·r_a + b·r_b + c) + zero) for every pair. For given multipliers and shift,
//      whether there are an addend and a window is decided exactly, by floors of lines over the
//      operand with more values for each value of the other one. The shift is the least for which
//      that holds with a multiplier of that other operand among the eight integers around
//      r·2^shift, and any multiplier of the first (requantisation.md, "Two operands").
//
// Errors: requant-range (empty ranges; both operands with more than kMaxSumValues values),
// requant-multiplier (an answer, as for one factor). Thread rule: pure.
#pragma once

#include "engine/quant/exact_factor.h"

#include <array>

namespace marquetry::quant {

/// Of the operand with fewer values: each is looked at, for every multiplier that is tried.
inline constexpr std::int64_t kMaxSumValues = 1 << 12;

struct SumOperand {
    Rational factor;
    std::int64_t lo = -128, hi = 127; ///< both reached
};

struct SumRequest {
    std::array<SumOperand, 2> operands;
    Rational addend;
    RoundingMode mode = RoundingMode::Even;
    std::int64_t zero = 0;
    std::int64_t least = -128, greatest = 127; ///< of the result, zero point included
};

struct ExactSum {
    std::array<std::int64_t, 2> muls{};
    std::int64_t add = 0;
    unsigned shift = 0;
    std::int64_t tie = 0;
    Integer ties = 0; ///< pairs whose exact value is half between two results
    Rational error;   ///< greatest difference from the real value, over all pairs
};

Status check(const SumRequest& request);
Result<ExactSum> exactSum(const SumRequest& request);

std::int64_t exactResult(const SumRequest& request, std::int64_t a, std::int64_t b);
std::int64_t integerResult(const SumRequest& request, const ExactSum& answer, std::int64_t a,
                           std::int64_t b);

/// Decides anew by sums of floors, for each value of the operand with fewer values.
bool verify(const SumRequest& request, const ExactSum& answer);

} // namespace marquetry::quant
