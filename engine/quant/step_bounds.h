// What a rounded line asks of integers that are to give the same steps.
//
// Sought are integers M, B, k, w such that (M·x + B) / 2^k, rounded, is the exact rounding of
// x·r + b for every x of a range. That is a lower and an upper bound on M·x + B for each x, at a
// multiple of half a step: with T(x) in half steps, M·x + B ≥ T(x)·2^(k−1). A bound is *closed*
// when the threshold itself still rounds to the value, else it is *strict*. Under half to even the
// closed ones are those of even values, which a tie window w widens, and the strict ones those of
// odd values, which it narrows. T is α + β times the floor of a line, so that the bounds of
// all x are one maximum (requantisation.md, "All integers at once").
//
// Thread rule: value types; pure.
#pragma once

#include "engine/quant/rounded_line.h"

#include <optional>
#include <vector>

namespace marquetry::quant {

/// In half units of the accumulator, for one M and one k; none where nothing is asked. An upper
/// bound is an upper bound of the same quantity.
struct HalfBounds {
    std::optional<Integer> lowerClosed, lowerStrict, upperClosed, upperStrict;

    /// Both must be met.
    void add(const HalfBounds& other);
    void move(const Integer& distance);
};

/// The bounds of all x of one line.
class StepBounds {
public:
    StepBounds(const RoundedLine& line, const SaturatedRanges& ranges, const ResultBounds& results);

    /// What is asked of B.
    HalfBounds ofAddend(const Integer& mul, unsigned shift) const;

private:
    /// T(x) = constant + factor · floor; upper bounds are held negated.
    struct Family {
        Integer constant, factor;
        FloorLine line;
        IntegerRange range;
    };
    using Families = std::vector<Family>;

    void addRounded(const RoundedLine& line, const IntegerRange& range);
    void addAway(const FloorLine& line, const IntegerRange& range);
    void addEven(const FloorLine& line, const IntegerRange& range);
    void addSaturated(RoundingMode mode, const SaturatedRanges& ranges, const ResultBounds& values);
    static void add(Families& families, Family family);
    static std::optional<Integer> greatest(const Families& families, const Integer& mul,
                                           unsigned shift);

    Families lowerClosed_, lowerStrict_, upperClosed_, upperStrict_;
};

/// Integers that meet bounds: all w of a range, and for each all B of another one.
struct AddendChoice {
    Integer tie;
    Integer least, greatest; ///< B
};

/// The least tie window for which there is an addend. Windows other than 0 only under Even.
std::optional<AddendChoice> chooseAddend(const HalfBounds& bounds, unsigned shift,
                                         RoundingMode mode);

/// Whether real numbers B and w meet the bounds. Where they do not, no multiplier further away from
/// the exact factor has any.
bool hasRealAddend(const HalfBounds& bounds, unsigned shift, RoundingMode mode);

/// How far the tightest two bounds are apart, in half units; a concave function of a multiplier.
/// None where no two bounds oppose each other.
std::optional<Integer> roomBetween(const HalfBounds& bounds, unsigned shift, RoundingMode mode);

} // namespace marquetry::quant
