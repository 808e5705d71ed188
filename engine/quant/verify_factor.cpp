// Results of single accumulators, and the decision by sums of floors.
#include "engine/quant/exact_factor.h"
#include "engine/quant/rounded_line.h"

#include <algorithm>

namespace marquetry::quant {
namespace {

/// The integers' rounding, x·mul + add over 2^shift, as lines of which floors are taken.
struct IntegerLine {
    FloorLine line;
    Integer tie;
    RoundingMode mode = RoundingMode::Up;

    Integer at(const Integer& x) const {
        const Integer value = line.slope * x + line.offset;
        const Integer half = line.divisor / 2;
        const Integer below = floorDiv(value, line.divisor);
        const Integer off = value - below * line.divisor - half;
        if (mode == RoundingMode::Even && line.divisor > 1 && off >= -tie && off <= tie)
            return (below & 1) == 0 ? below : Integer(below + 1);
        return roundedQuotient(value, line.divisor, mode);
    }
};

std::int64_t saturated(const FactorRequest& request, const Integer& value) {
    return toInt64(std::clamp(Integer(value + request.zero), Integer(request.least),
                              Integer(request.greatest)));
}

/// Thresholds to even values and to odd ones are met separately. Even ones are passed at
/// y − 1/2 − w, odd ones behind y − 1/2 + w; where both counts agree everywhere so do the values.
bool sameEven(const RoundedLine& exact, const IntegerLine& integers, const IntegerRange& range) {
    const FloorLine& line = integers.line;
    const FloorLine even = {2 * line.slope, 2 * line.offset + line.divisor + 2 * integers.tie,
                            4 * line.divisor};
    const FloorLine odd = {2 * line.slope, 2 * line.offset - line.divisor - 2 * integers.tie - 1,
                           4 * line.divisor};
    return sameFloors(everySecond(halfUp(exact.line)), even, range) &&
           sameFloors(everySecond(belowHalfDown(exact.line)), odd, range);
}

bool sameAway(const RoundedLine& exact, const IntegerLine& integers, const IntegerRange& range) {
    const RoundedLine other = {integers.line, RoundingMode::Away};
    const Integer positive = firstAtLeast(exact, range, 1), natural = firstAtLeast(exact, range, 0);
    return firstAtLeast(other, range, 1) == positive && firstAtLeast(other, range, 0) == natural &&
           sameFloors(halfUp(exact.line), halfUp(other.line), {positive, range.last}) &&
           sameFloors(belowHalfDown(exact.line), belowHalfDown(other.line),
                      {range.first, natural - 1});
}

bool sameBetween(const RoundedLine& exact, const IntegerLine& integers, const IntegerRange& range) {
    if (range.empty())
        return true;
    if (integers.line.slope < 0) {
        // One rises and the other one falls: equal where both are constant.
        const Integer value = exact.at(range.first);
        return exact.at(range.last) == value && integers.at(range.first) == value &&
               integers.at(range.last) == value;
    }
    switch (exact.mode) {
    case RoundingMode::Up:
        return sameFloors(halfUp(exact.line), halfUp(integers.line), range);
    case RoundingMode::Down:
        return sameFloors(exact.line, integers.line, range);
    case RoundingMode::Away:
        return sameAway(exact, integers, range);
    case RoundingMode::Even:
        return sameEven(exact, integers, range);
    }
    return false;
}

bool wellFormed(const FactorRequest& request, const ExactFactor& answer) {
    if (answer.shift > kMaxShift || !fitsInt32(answer.mul) || !fitsInt32(answer.add))
        return false;
    const bool window = request.mode == RoundingMode::Even && answer.shift > 0;
    return answer.tie == 0 ||
           (window && answer.tie > 0 && answer.tie < powerOfTwo(answer.shift - 1));
}

} // namespace

std::int64_t exactResult(const FactorRequest& request, std::int64_t accumulator) {
    const Rational value = request.factor * Rational(accumulator) + request.addend;
    return saturated(request, rounded(value, request.mode));
}

std::int64_t integerResult(const FactorRequest& request, const ExactFactor& answer,
                           std::int64_t accumulator) {
    return integerResult(request, RoundedIntegers{answer.mul, answer.add, answer.shift, answer.tie},
                         accumulator);
}

std::int64_t integerResult(const FactorRequest& request, const RoundedIntegers& numbers,
                           std::int64_t accumulator) {
    const IntegerLine line = {
        {numbers.mul, numbers.add, powerOfTwo(numbers.shift)}, numbers.tie, request.mode};
    return saturated(request, line.at(accumulator));
}

bool verify(const FactorRequest& request, const ExactFactor& answer) {
    if (!check(request) || !wellFormed(request, answer))
        return false;
    return sameResults(request, {answer.mul, answer.add, answer.shift, answer.tie});
}

bool sameResults(const FactorRequest& request, const RoundedIntegers& numbers) {
    const bool mirrored = request.factor.sign() < 0;
    const int sign = mirrored ? -1 : 1;
    const Integer lo = request.lo, hi = request.hi;
    const IntegerRange range = {mirrored ? Integer(-hi) : lo, mirrored ? Integer(-lo) : hi};
    const Rational &r = request.factor, &b = request.addend;
    const Integer common = r.denominator() * b.denominator();
    const RoundedLine exact = {
        {sign * r.numerator() * b.denominator(), b.numerator() * r.denominator(), common},
        request.mode};
    const IntegerLine integers = {
        {Integer(sign * numbers.mul), numbers.add, powerOfTwo(numbers.shift)},
        numbers.tie,
        request.mode};
    const Integer least = Integer(request.least) - request.zero;
    const Integer greatest = Integer(request.greatest) - request.zero;
    const auto [low, between, high] = saturatedRanges(exact, range, {least, greatest});
    // Monotone, so that the ends of what is saturated speak for all of it.
    const bool lowAlike =
        low.empty() || (integers.at(low.first) <= least && integers.at(low.last) <= least);
    const bool highAlike =
        high.empty() || (integers.at(high.first) >= greatest && integers.at(high.last) >= greatest);
    return lowAlike && highAlike && sameBetween(exact, integers, between);
}

} // namespace marquetry::quant
