// The table of a function of one quantised value: exact rounding of exact real arithmetic.
//
// Entry i is saturate(round(f(s_x·(q − z_x)) / s_y) + z_y) for the i-th value q of the input. Each
// entry is proven: its real value is rational, or its distance from where rounding changes is
// greater than the error of its evaluation (requantisation.md, "Tables").
//
// Errors: quant-scale (a scale that is not positive, or beyond 2^±1100), requant-range (an empty or
// too long range), table-undecided (an entry too near a threshold, named; for functions at rational
// points none is known). Thread rule: pure.
#pragma once

#include "engine/quant/real_function.h"
#include "engine/support/result.h"

#include <cstdint>
#include <vector>

namespace marquetry::quant {

inline constexpr std::int64_t kMaxTableValues = 1 << 16;

struct TableRequest {
    RealFunction function = RealFunction::Identity;
    FunctionParams params;
    Rational inputScale = 1, outputScale = 1;
    std::int64_t inputZero = 0, outputZero = 0;
    std::int64_t first = -128, last = 127;     ///< of the input, as stored
    std::int64_t least = -128, greatest = 127; ///< of the result, zero point included
    RoundingMode mode = RoundingMode::Even;
};

struct RoundedTable {
    std::vector<std::int64_t> values; ///< of first … last
    int rational = 0;                 ///< entries whose real value is rational
    int ties = 0;                     ///< those of them that are exactly half between two results
    /// Least distance of the other values, in steps of the result, from where rounding changes;
    /// those that saturate by far are left out. A lower bound.
    double margin = 1;
};

Status check(const TableRequest& request);
Result<RoundedTable> roundedTable(const TableRequest& request);

} // namespace marquetry::quant
