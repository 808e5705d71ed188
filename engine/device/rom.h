// A table of constants in hardware: in LUTs with six inputs, whose word is there in the same clock,
// or in block RAM, which is read at the end of the clock.
//
// Whichever weighs less is taken; half a block RAM weighs as much as the LUTs that a 7-series
// device has for each. Figures of LUTs are those of words without a pattern; synthesis finds fewer
// where neighbours are alike. Units: words, bits, LUTs, half block RAMs. Thread rule: pure.
#pragma once

#include <cstdint>

namespace marquetry::device {

struct Rom {
    std::int64_t luts = 0;
    std::int64_t halfBlocks = 0; ///< of a block RAM; at most one of the two is not 0
    bool isBlock() const { return halfBlocks > 0; }
    std::int64_t weight() const; ///< in LUTs
};

/// The lighter form for `words` ≥ 1 words of `bits` bits.
Rom romOf(std::int64_t words, int bits);

/// LUTs of one bit of it: tables of 64 rows, and choices between more than four of them.
std::int64_t romLuts(std::int64_t words);
/// Halves of block RAMs that hold it.
std::int64_t romHalfBlocks(std::int64_t words, int bits);

} // namespace marquetry::device
