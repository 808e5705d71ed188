#include "engine/quant/rounded_line.h"

namespace marquetry::quant {

SaturatedRanges saturatedRanges(const RoundedLine& line, const IntegerRange& range,
                                const ResultBounds& results) {
    const Integer above = firstAtLeast(line, range, results.least + 1);
    const Integer high = firstAtLeast(line, range, results.greatest);
    return {{range.first, above - 1}, {above, high - 1}, {high, range.last}};
}

Integer firstAtLeast(const RoundedLine& line, const IntegerRange& range, const Integer& value) {
    Integer low = range.first, high = range.last + 1;
    while (low < high) {
        const Integer middle = floorDiv(low + high, 2);
        if (line.at(middle) >= value)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

FloorLine halfUp(const FloorLine& line) {
    return {2 * line.slope, 2 * line.offset + line.divisor, 2 * line.divisor};
}

FloorLine belowHalfDown(const FloorLine& line) {
    return {2 * line.slope, 2 * line.offset - line.divisor - 1, 2 * line.divisor};
}

FloorLine everySecond(const FloorLine& line) {
    return {line.slope, line.offset, 2 * line.divisor};
}

} // namespace marquetry::quant
