// Activations as weights: the moves that bring the second operand of a product to where a unit
// holds its weights.
//
// In the memory of a unit's weights, row r of a block is a memory of its own, so its lanes are seen
// as kHeldRow lanes behind those of row r − 1: lane r · kHeldRow + word · lanes + lane. A word of a
// lane unit is one row, whatever its lanes do. A move never copies what lies behind the last
// channel of a pixel: the operand has no meaning there either, and a product of the two would
// count. Of a word that is written what is not copied becomes zero, and each word is written by
// one run of one move; words that none writes stay zero, as they are from the start. So a row may
// have zeros around what it meets: those of its group of channels, or of a stencil the taps, one
// lane further in each row.
//
// Units: lanes, words of the unit's memory. Complexity: linear in the rows. Thread rule: pure.
#pragma once

#include "engine/design/move.h"

#include <compare>
#include <optional>
#include <vector>

namespace marquetry::design {

/// More lanes than a row of any unit has.
inline constexpr std::int64_t kHeldRow = std::int64_t{1} << 23;

/// The rows that a unit is to have, and where they are in the stored tensor.
struct HeldMatrix {
    std::int64_t first = 0; ///< element of the stored tensor with which it begins
    std::int64_t rows = 1;
    std::int64_t columns = 1;      ///< that the stored tensor has of a row
    std::int64_t channels = 1;     ///< of a pixel of the stored tensor
    std::int64_t dataChannels = 1; ///< of a pixel of what streams through the unit
    std::int64_t groups = 1;       ///< of rows and channels: a row has those of its group
    bool lanewise = false;         ///< a row is a lane of a lane unit
    bool repeated = false;         ///< the stored tensor has one row, which all are
    /// Of the first row's first column: it may lie before the first lane, and each further row is
    /// one lane further. What lies outside the dataChannels lanes is left out.
    std::optional<std::int64_t> lane = {};

    auto operator<=>(const HeldMatrix&) const = default;
};

struct HeldPlace {
    std::int64_t parallel = 1;  ///< rows of a block
    std::int64_t firstWord = 0; ///< of the unit's memory
    std::int64_t reduction = 1; ///< words from a block to the next
};

/// One for the whole blocks and one for the rows behind them; more where groups of rows end within
/// blocks, and for each row of a stencil that is cut.
std::vector<Move> heldMoves(const HeldMatrix& matrix, const HeldPlace& place, std::int64_t lanes);

/// Clocks of them; they depend on the place by the rows of a block alone, and are the fewest with
/// one row in a block.
std::int64_t heldCycles(const HeldMatrix& matrix, std::int64_t parallel, std::int64_t lanes);

} // namespace marquetry::design
