// Floors of a line over a range of integers: their sum, their weighted maximum, and whether two
// lines have the same floors, without looking at the points one by one.
//
// A FloorLine is y(x) = ⌊(slope·x + offset) / divisor⌋. Each function takes as many steps as
// Euclid's algorithm on slope and divisor: in every step the roles of x and y are exchanged
// (requantisation.md, "Floors without enumeration").
//
// Ranges hold both ends; an empty range is one whose last is below its first. Thread rule: pure.
#pragma once

#include "engine/quant/rational.h"

namespace marquetry::quant {

struct FloorLine {
    Integer slope = 0;
    Integer offset = 0;
    Integer divisor = 1; ///< > 0

    Integer at(const Integer& x) const { return floorDiv(slope * x + offset, divisor); }
};

struct IntegerRange {
    Integer first = 0;
    Integer last = -1;

    bool empty() const { return last < first; }
    Integer size() const { return empty() ? Integer(0) : Integer(last - first + 1); }
};

/// Σ y(x).
Integer floorSum(const FloorLine& line, const IntegerRange& range);

/// max(a·x + b·y(x)); the range is not empty.
Integer maxWeightedFloor(const FloorLine& line, const IntegerRange& range, const Integer& a,
                         const Integer& b);

/// Whether y is the same for both lines at every point of the range.
bool sameFloors(const FloorLine& left, const FloorLine& right, const IntegerRange& range);

/// Of slope·x + offset modulo divisor over a range that is not empty.
struct Residues {
    Integer zeros;         ///< at how many points it is 0
    Integer leastPositive; ///< 0 when it is 0 everywhere
    Integer greatest;
};
Residues residues(const FloorLine& line, const IntegerRange& range);

} // namespace marquetry::quant
