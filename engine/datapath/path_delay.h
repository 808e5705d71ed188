// Estimated delays between registers, in ps: cells of Yosys' library for the 7 series, no wires.
// Thread rule: pure.
#pragma once

#include "engine/datapath/datapath.h"
#include "engine/spacetime/path_table.h"

namespace marquetry::datapath {

using spacetime::kMemoryDelay;
using spacetime::kMemorySetup;
using spacetime::kRegisterDelay;
using spacetime::kShiftRegisterDelay;

/// From a generator's counter to its word.
double generatorDelay(const Cell& generator);

bool isSum(CellKind kind);

/// How a sum takes an operand.
enum class Chain : std::uint8_t {
    Own,    ///< two operands, a chain of its own
    Shared, ///< the operand is a sum in the same chain
    Beside, ///< the other operand is: this one goes through the adder that takes three to two
};

/// From the index through a table in LUTs.
double tableDelay(const Cell& cell);

/// From an operand through a cell; of a table in block RAM, up to its register. Behind a sum in the
/// same step (`before`) a sum waits for the top bit only.
double cellDelay(const Cell& cell, const Cell* before, Chain chain);

} // namespace marquetry::datapath
