// What a cell computes, as numbers: bit patterns without sign (datapath.h). Thread rule: pure.
#pragma once

#include "engine/datapath/datapath.h"

namespace marquetry::datapath {

using Word = std::uint64_t;

/// The lowest `width` bits.
Word mask(int width);
/// The remainder that is not negative; m > 0.
std::int64_t modulo(std::int64_t a, std::int64_t m);
/// Of words in two's complement.
std::int64_t signedValue(Word a, int width);

/// The word of an operator from those of its operands; of others the first.
Word compute(const Cell& cell, Word a, Word b, Word c);

/// Step `step` of a generator.
std::int64_t valueAt(const Cell& generator, std::int64_t step);

} // namespace marquetry::datapath
