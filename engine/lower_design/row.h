// Rows of multipliers: a lane each for every operand of a word, their adder tree and accumulator.
//
// Two rows may share their multipliers, for they multiply the same operands. With weights w1 and
// w0 of at most 8 bits and an operand a of at most 8 bits,
//     p = (w1 · 2^16 + w0) · a + 2^15
// is w1 · a in the bits from 16 on, and w0 · a in the 16 bits below with the highest one inverted:
// w0 · a + 2^15 lies from 0 to 2^16 - 1, so nothing of it reaches the upper half. Where neither
// factor has a sign, w0 · a lies there by itself and nothing is added. Factors of 25 and 9 bits,
// the sum of the weights and the constant fit in one DSP48E1 or DSP48E2: its adder in front of the
// multiplier, the multiplier, and the adder behind it.
//
// Clocks are the same for both forms: a product two clocks after its weight came and one after its
// operand, a level of adders each, then the accumulator. Thread rule: pure.
#pragma once

#include "engine/rtl/module.h"

#include <algorithm>
#include <string>

namespace marquetry::hdl {

/// Factors of a row, and how wide their products are kept. Lanes: a power of two.
struct RowForm {
    int lanes = 8; ///< 1: a lane of a lane unit
    int operandBits = 8, weightBits = 8;
    bool operandSigned = true, weightSigned = true;

    int operand() const { return operandBits + (operandSigned ? 0 : 1); }
    int weight() const { return weightBits + (weightSigned ? 0 : 1); }
    int product() const { return std::min(32, operand() + weight()); }
};

/// Factors of so many bits may be paired.
inline constexpr int kPairedBits = 8;

/// Ports: aclk, accumulate, first, operand, weight (lane 0 lowest), sum.
rtl::ModulePtr rowModule(const std::string& name, const RowForm& form);

/// Two rows with factors of at most kPairedBits; the weights of the first are the lower half of
/// `weight`. Sums: sum_0, sum_1.
rtl::ModulePtr pairedRowsModule(const std::string& name, const RowForm& form);

} // namespace marquetry::hdl
