#include "engine/quant/floor_line.h"

#include "engine/support/assert.h"

#include <algorithm>
#include <utility>

namespace marquetry::quant {
namespace {

/// The same floors, of x = 0, 1, … instead of from `first`.
FloorLine movedTo(const FloorLine& line, const Integer& first) {
    return {line.slope, line.offset + line.slope * first, line.divisor};
}

/// Takes the multiple of the divisor out of a number and says which one it was.
Integer takeMultiple(Integer& number, const Integer& divisor) {
    Integer quotient = floorDiv(number, divisor);
    number -= quotient * divisor;
    return quotient;
}

/// The floors are ordered point by point over each range on one side of where the lines cross.
bool equalWhereOrdered(const FloorLine& left, const FloorLine& right, const IntegerRange& range) {
    return range.empty() || floorSum(left, range) == floorSum(right, range);
}

} // namespace

Integer floorSum(const FloorLine& line, const IntegerRange& range) {
    if (range.empty())
        return 0;
    auto [p, q, d] = movedTo(line, range.first);
    Integer n = range.size();
    Integer sum = 0;
    while (true) {
        sum += takeMultiple(p, d) * (n * (n - 1) / 2);
        sum += takeMultiple(q, d) * n;
        const Integer top = p * n + q;
        if (top < d)
            return sum;
        n = top / d;
        q = top % d;
        std::swap(p, d);
    }
}

Integer maxWeightedFloor(const FloorLine& line, const IntegerRange& range, const Integer& a0,
                         const Integer& b0) {
    ENGINE_ASSERT(!range.empty(), "a maximum is one of something");
    auto [c, d, m] = movedTo(line, range.first);
    Integer a = a0, b = b0, last = range.last - range.first, base = a0 * range.first;
    std::optional<Integer> best;
    while (true) {
        a += b * takeMultiple(c, m);
        base += b * takeMultiple(d, m);
        const Integer top = (c * last + d) / m;
        const Integer ends = std::max(base, Integer(base + a * last + b * top));
        best = best ? std::max(*best, ends) : ends;
        if (top == 0 || a.sign() * b.sign() >= 0)
            return *best;
        // Of all x with one y the least (a < 0) or the greatest (a > 0) is the best. Those x are
        // floors of a line over y; the first and last row were looked at with the ends.
        if (a < 0)
            base += a + b;
        d = m - d - 1;
        last = top - 1;
        std::swap(a, b);
        std::swap(c, m);
    }
}

bool sameFloors(const FloorLine& left, const FloorLine& right, const IntegerRange& range) {
    if (range.empty())
        return true;
    const Integer slope = left.slope * right.divisor - right.slope * left.divisor;
    const Integer offset = left.offset * right.divisor - right.offset * left.divisor;
    if (slope == 0)
        return equalWhereOrdered(left, right, range);
    // left − right has one sign up to the crossing and the other one behind it.
    const Integer crossing = slope > 0 ? floorDiv(-offset, slope) : floorDiv(offset, -slope);
    return equalWhereOrdered(left, right, {range.first, std::min(range.last, crossing)}) &&
           equalWhereOrdered(left, right,
                             {std::max(range.first, Integer(crossing + 1)), range.last});
}

Residues residues(const FloorLine& line, const IntegerRange& range) {
    const FloorLine below = {line.slope, line.offset - 1, line.divisor};
    const FloorLine mirrored = {-line.slope, -line.offset, line.divisor};
    Residues found;
    found.zeros = floorSum(line, range) - floorSum(below, range);
    found.greatest =
        line.offset + maxWeightedFloor(line, range, line.slope, Integer(-line.divisor));
    const Integer opposite =
        -line.offset + maxWeightedFloor(mirrored, range, -line.slope, Integer(-line.divisor));
    found.leastPositive = opposite == 0 ? Integer(0) : Integer(line.divisor - opposite);
    return found;
}

} // namespace marquetry::quant
