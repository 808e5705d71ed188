#include "engine/quant/step_bounds.h"

#include <algorithm>

namespace marquetry::quant {
namespace {

bool closedBelow(RoundingMode mode, const Integer& value) {
    if (mode == RoundingMode::Away)
        return value > 0;
    return mode != RoundingMode::Even || (value & 1) == 0;
}

bool closedAbove(RoundingMode mode, const Integer& value) {
    if (mode == RoundingMode::Away)
        return value < 0;
    return mode == RoundingMode::Even && (value & 1) == 0;
}

void keepGreater(std::optional<Integer>& kept, const std::optional<Integer>& other) {
    if (other && (!kept || *other > *kept))
        kept = other;
}

void keepLess(std::optional<Integer>& kept, const std::optional<Integer>& other) {
    if (other && (!kept || *other < *kept))
        kept = other;
}

bool notAbove(const std::optional<Integer>& low, const std::optional<Integer>& high) {
    return !low || !high || *low <= *high;
}

bool isBelow(const std::optional<Integer>& low, const std::optional<Integer>& high) {
    return !low || !high || *low < *high;
}

std::optional<Integer> negated(std::optional<Integer> number) {
    if (number)
        *number = -*number;
    return number;
}

/// Integers: closed bounds of halves are rounded inwards, and strict ones moved past the bound.
struct WholeBounds {
    std::optional<Integer> lowerEven, lowerOdd, upperEven, upperOdd;

    explicit WholeBounds(const HalfBounds& halves) {
        if (halves.lowerClosed)
            lowerEven = ceilDiv(*halves.lowerClosed, 2);
        if (halves.lowerStrict)
            lowerOdd = floorDiv(*halves.lowerStrict, 2) + 1;
        if (halves.upperClosed)
            upperEven = floorDiv(*halves.upperClosed, 2);
        if (halves.upperStrict)
            upperOdd = ceilDiv(*halves.upperStrict, 2) - 1;
    }
};

} // namespace

void HalfBounds::add(const HalfBounds& other) {
    keepGreater(lowerClosed, other.lowerClosed);
    keepGreater(lowerStrict, other.lowerStrict);
    keepLess(upperClosed, other.upperClosed);
    keepLess(upperStrict, other.upperStrict);
}

void HalfBounds::move(const Integer& distance) {
    for (std::optional<Integer>* bound : {&lowerClosed, &lowerStrict, &upperClosed, &upperStrict})
        if (*bound)
            **bound += distance;
}

StepBounds::StepBounds(const RoundedLine& line, const SaturatedRanges& ranges,
                       const ResultBounds& results) {
    addRounded(line, ranges.between);
    addSaturated(line.mode, ranges, results);
}

void StepBounds::add(Families& families, Family family) {
    if (!family.range.empty())
        families.push_back(std::move(family));
}

void StepBounds::addRounded(const RoundedLine& line, const IntegerRange& range) {
    switch (line.mode) {
    case RoundingMode::Up:
        add(lowerClosed_, {-1, 2, halfUp(line.line), range});
        add(upperStrict_, {-1, -2, halfUp(line.line), range});
        return;
    case RoundingMode::Down:
        add(lowerClosed_, {0, 2, line.line, range});
        add(upperStrict_, {-2, -2, line.line, range});
        return;
    case RoundingMode::Away:
        return addAway(line.line, range);
    case RoundingMode::Even:
        return addEven(line.line, range);
    }
}

void StepBounds::addAway(const FloorLine& line, const IntegerRange& range) {
    const RoundedLine away = {line, RoundingMode::Away};
    const Integer positive = firstAtLeast(away, range, 1);
    const Integer natural = firstAtLeast(away, range, 0);
    const FloorLine up = halfUp(line), down = belowHalfDown(line);
    add(lowerClosed_, {-1, 2, up, {positive, range.last}});
    add(lowerStrict_, {1, 2, down, {range.first, positive - 1}});
    add(upperStrict_, {-1, -2, up, {natural, range.last}});
    add(upperClosed_, {-3, -2, down, {range.first, natural - 1}});
}

// Asked of every even y at or below the line and every odd one strictly below it, not only of the
// value itself: as w is less than half a step, the bound of a value implies those of all values
// below it. The greatest even and the greatest odd one of each x are floors of lines. Above
// likewise.
void StepBounds::addEven(const FloorLine& line, const IntegerRange& range) {
    const FloorLine even = everySecond(halfUp(line)), odd = everySecond(belowHalfDown(line));
    add(lowerClosed_, {-1, 4, even, range});
    add(lowerStrict_, {1, 4, odd, range});
    add(upperClosed_, {-5, -4, odd, range});
    add(upperStrict_, {-3, -4, even, range});
}

void StepBounds::addSaturated(RoundingMode mode, const SaturatedRanges& ranges,
                              const ResultBounds& values) {
    const Integer below = mode == RoundingMode::Down ? 0 : 1;
    const Integer above = mode == RoundingMode::Down ? 2 : 1;
    const auto& [low, between, high] = ranges;
    add(closedBelow(mode, values.greatest) ? lowerClosed_ : lowerStrict_,
        {2 * values.greatest - below, 0, {}, high});
    add(closedAbove(mode, values.least) ? upperClosed_ : upperStrict_,
        {-2 * values.least - above, 0, {}, low});
}

std::optional<Integer> StepBounds::greatest(const Families& families, const Integer& mul,
                                            unsigned shift) {
    std::optional<Integer> most;
    for (const Family& family : families) {
        const Integer floors =
            maxWeightedFloor(family.line, family.range, -2 * mul, family.factor << shift);
        keepGreater(most, Integer((family.constant << shift) + floors));
    }
    return most;
}

HalfBounds StepBounds::ofAddend(const Integer& mul, unsigned shift) const {
    return {greatest(lowerClosed_, mul, shift), greatest(lowerStrict_, mul, shift),
            negated(greatest(upperClosed_, -mul, shift)),
            negated(greatest(upperStrict_, -mul, shift))};
}

std::optional<AddendChoice> chooseAddend(const HalfBounds& halves, unsigned shift,
                                         RoundingMode mode) {
    const WholeBounds bounds(halves);
    if (!notAbove(bounds.lowerEven, bounds.upperOdd) ||
        !notAbove(bounds.lowerOdd, bounds.upperEven))
        return std::nullopt;
    Integer least = 0;
    Integer most = mode == RoundingMode::Even && shift > 0 ? Integer(powerOfTwo(shift - 1) - 1) : 0;
    if (bounds.lowerEven && bounds.upperEven)
        least = std::max(least, ceilDiv(*bounds.lowerEven - *bounds.upperEven, 2));
    if (bounds.lowerOdd && bounds.upperOdd)
        most = std::min(most, floorDiv(*bounds.upperOdd - *bounds.lowerOdd, 2));
    if (least > most)
        return std::nullopt;
    std::optional<Integer> low, high;
    if (bounds.lowerEven)
        low = *bounds.lowerEven - least;
    if (bounds.lowerOdd)
        keepGreater(low, Integer(*bounds.lowerOdd + least));
    if (bounds.upperEven)
        high = *bounds.upperEven + least;
    if (bounds.upperOdd)
        keepLess(high, Integer(*bounds.upperOdd - least));
    // Where one side asks nothing, all that is asked is met by the bound of the other side.
    const Integer from = low ? *low : high ? std::min(*high, Integer(0)) : Integer(0);
    const Integer to = high ? *high : std::max(from, Integer(0));
    return AddendChoice{least, from, to};
}

bool hasRealAddend(const HalfBounds& bounds, unsigned shift, RoundingMode mode) {
    const auto& [lowerEven, lowerOdd, upperEven, upperOdd] = bounds;
    if (!isBelow(lowerEven, upperOdd) || !isBelow(lowerOdd, upperEven) ||
        !isBelow(lowerOdd, upperOdd))
        return false;
    if (mode != RoundingMode::Even)
        return notAbove(lowerEven, upperEven);
    if (!lowerEven || !upperEven)
        return true;
    const Integer window = *lowerEven - *upperEven;
    return window < powerOfTwo(shift + 1) &&
           (!lowerOdd || !upperOdd || window < *upperOdd - *lowerOdd);
}

std::optional<Integer> roomBetween(const HalfBounds& bounds, unsigned shift, RoundingMode mode) {
    const auto& [lowerEven, lowerOdd, upperEven, upperOdd] = bounds;
    std::optional<Integer> room;
    const auto between = [&room](const auto& low, const auto& high, const Integer& more) {
        if (low && high)
            keepLess(room, Integer(*high - *low + more));
    };
    between(lowerEven, upperOdd, 0);
    between(lowerOdd, upperEven, 0);
    between(lowerOdd, upperOdd, 0);
    const bool even = mode == RoundingMode::Even;
    between(lowerEven, upperEven, even ? powerOfTwo(shift + 1) : Integer(0));
    if (even && lowerOdd && upperOdd)
        between(lowerEven, upperEven, *upperOdd - *lowerOdd);
    return room;
}

} // namespace marquetry::quant
