// Activations as weights: the moves that bring the second operand of a product to where a unit
// holds its weights.
//
// In the memory of a unit's weights, row r of a block is a memory of its own, so its lanes are seen
// as kHeldRow lanes behind those of row r − 1: lane r · kHeldRow + word · lanes + lane. A move
// never copies what lies behind the last channel of a pixel: the operand has no meaning there
// either, and a product of the two would count. What is not copied stays zero, as it is from the
// start.
//
// Units: lanes, words of the unit's memory. Complexity: linear in the dimensions. Thread rule:
// pure.
#pragma once

#include "engine/design/move.h"

#include <vector>

namespace marquetry::design {

/// More lanes than a row of any unit has.
inline constexpr std::int64_t kHeldRow = std::int64_t{1} << 23;

struct HeldMatrix {
    std::int64_t first = 0; ///< element of the stored tensor with which it begins
    std::int64_t rows = 1;
    std::int64_t columns = 1;
    std::int64_t channels = 1;     ///< of a pixel of the stored tensor
    std::int64_t dataChannels = 1; ///< of a pixel of what streams through the unit
};

struct HeldPlace {
    std::int64_t parallel = 1;  ///< rows of a block
    std::int64_t firstWord = 0; ///< of the unit's memory
    std::int64_t reduction = 1; ///< words from a block to the next
};

/// One for the whole blocks, and one for the rows behind them.
std::vector<Move> heldMoves(const HeldMatrix& matrix, const HeldPlace& place, std::int64_t lanes);

/// Clocks of them; they depend on the place by the rows of a block alone.
std::int64_t heldCycles(const HeldMatrix& matrix, std::int64_t parallel, std::int64_t lanes);

} // namespace marquetry::design
