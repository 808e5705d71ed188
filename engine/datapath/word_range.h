// Which numbers a word of a datapath can be: intervals of integers, and what operators make of
// them.
//
// A word of `width` bits is one of the integers of its range modulo 2^width, so a difference of two
// words below 256 has the range −255 to 255, whatever its width. Every range is in one of two
// forms: within [0, 2^width), or, when its least number is negative, within
// [−2^(width−1), 2^(width−1)). In the second form the word is the sign-extension of its low bits.
//
// Complexity: constant. Thread rule: pure.
#pragma once

#include "engine/datapath/datapath.h"

#include <cstdint>
#include <functional>

namespace marquetry::datapath {

/// Wider words have no range; no operator makes them.
inline constexpr int kMostRangeBits = 60;

struct NumberRange {
    std::int64_t low = 0;
    std::int64_t high = 0;
    bool operator==(const NumberRange&) const = default;
};

/// Bits that tell the numbers of a range apart, with one for the sign if there are negative ones;
/// at least 1.
int bitsOf(const NumberRange& range);

NumberRange allWords(int width);
/// As numbers without sign, or in two's complement, of all bits of the word.
NumberRange withoutSign(const NumberRange& range, int width);
NumberRange withSign(const NumberRange& range, int width);

/// The range of an operand, in a word of another width: what is wider is cut, what is narrower has
/// zeros above.
using RangeOf = std::function<NumberRange(const Tap&, int width)>;

/// Of a generator's words.
NumberRange rangeOfGenerator(const Cell& generator);
/// Of an operator's result. `cells` are looked at behind the operands of a choice: which of them it
/// takes may follow from their order.
NumberRange rangeOfResult(const std::vector<Cell>& cells, const Cell& cell, const RangeOf& rangeOf);

} // namespace marquetry::datapath
