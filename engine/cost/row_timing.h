// Time and resources of units that compute functions of whole rows, softmax and layernorm, or of
// elements on their own: sums, differences and products of two tensors, or of one and constants.
//
// A row is read several times, `run` neighbouring elements per clock: a pass gives what the next
// one needs (the greatest element, a sum), so after the last element of a pass the unit waits until
// that stands in a register. The waits are the lengths of the pipelines, which the hardware is
// built by. The results of a row are made while the next one is read, which may begin as soon as
// it changes no register that they are made from.
//
//   softmax    greatest element; sum of the exponentials; quotients of 8 bits
//   layernorm  sum; sum of squared distances, then its quotient by N and the root, a bit a clock;
//              quotients of as many bits as the result has
//   elements   one pass over all rows without waits between them: 32 bits of the result
//   look-ups   as elements, one per clock: the element is where another memory is read
//
// Units: clocks, bits. Thread rule: pure.
#pragma once

#include "engine/cost/call_timing.h"
#include "engine/cost/row_function.h"
#include "engine/device/resources.h"

#include <cstdint>
#include <vector>

namespace marquetry::cost {

struct RowShape {
    RowFunction function = RowFunction::Softmax;
    std::int64_t rows = 1;
    std::int64_t columns = 1; ///< N, elements of a row
    std::int64_t run = 1;     ///< elements per clock: a power of two
    int operandBits = 8;
    int resultBits = 8;
    std::int64_t shift = 0; ///< of layernorm
    SecondOperand second = SecondOperand::None;
    int firstFactor = 0; ///< of functions of elements, both operands as signed numbers
    int secondFactor = 0;

    bool ofElements() const { return second != SecondOperand::None; }
    /// Runs of a row.
    std::int64_t runs() const { return (columns + run - 1) / run; }
    /// Words of its constants, of so many numbers each.
    std::int64_t constantWords() const;
    std::int64_t constantsOfWord() const {
        return second == SecondOperand::ConstantOfRow ? 1 : run;
    }
};

/// Elements that a unit takes per clock.
std::int64_t rowRun(RowFunction function, std::int64_t lanes);

/// Widths of layernorm's numbers.
struct NormWidths {
    int distance = 0;  ///< d = N·x − Σx, signed
    int squares = 0;   ///< Σd²
    int radicand = 0;  ///< ⌊2^16·Σd² / N⌋
    int root = 0;      ///< r
    int numerator = 0; ///< d·2^(f+8) + ⌊r/2⌋ less r times the least result, signed
};
NormWidths normWidths(const RowShape& shape);

/// Clocks from the register of the elements to what they give.
struct RowStages {
    int times = 0;  ///< layernorm: N·x
    int square = 0; ///< layernorm: d²
    int result = 0; ///< of the last pass
};
RowStages rowStages(const RowShape& shape);

/// Clocks after the last element of each pass before the next one; of the last pass, before the
/// unit has done.
std::vector<std::int64_t> rowWaits(const RowShape& shape);
/// Clocks after the last element of a row before the first one of the next row, at most a clock
/// more than a layernorm needs, or than its division takes where N is no power of two.
std::int64_t rowGap(const RowShape& shape);

std::int64_t rowCycles(const RowShape& shape);

/// DSP blocks are exact; LUT and FF are estimates.
device::Resources rowResources(const RowShape& shape);

} // namespace marquetry::cost
