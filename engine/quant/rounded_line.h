// A line whose values are rounded and saturated, and the floors its rounding consists of.
//
// Thread rule: value types; pure.
#pragma once

#include "engine/quant/floor_line.h"

namespace marquetry::quant {

/// Exact x·r + b = (slope·x + offset) / divisor with slope ≥ 0, rounded.
struct RoundedLine {
    FloorLine line;
    RoundingMode mode = RoundingMode::Up;

    Integer at(const Integer& x) const {
        return roundedQuotient(line.slope * x + line.offset, line.divisor, mode);
    }
};

/// Values outside least … greatest are saturated, so that they need not be told apart.
struct ResultBounds {
    Integer least, greatest; ///< least < greatest
};

/// Where the value is least or below, where it is between, and where it is greatest or above.
struct SaturatedRanges {
    IntegerRange low, between, high;

    /// The points that decide whether another nondecreasing line has the same steps.
    IntegerRange deciding() const {
        return {low.empty() ? between.first : low.last, high.empty() ? between.last : high.first};
    }
};
SaturatedRanges saturatedRanges(const RoundedLine& line, const IntegerRange& range,
                                const ResultBounds& results);

/// The first x of the range whose value is at least `value`; one past the range if there is none.
Integer firstAtLeast(const RoundedLine& line, const IntegerRange& range, const Integer& value);

/// ⌊x·r + b + 1/2⌋.
FloorLine halfUp(const FloorLine& line);
/// ⌈x·r + b − 1/2⌉ − 1.
FloorLine belowHalfDown(const FloorLine& line);
/// ⌊y / 2⌋ of its floors y.
FloorLine everySecond(const FloorLine& line);

} // namespace marquetry::quant
