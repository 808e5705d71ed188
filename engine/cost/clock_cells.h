// Delays of the cells that clocks are estimated by, one set for each family of devices.
//
// Units: ps. Thread rule: constants.
#pragma once

#include <string_view>

namespace marquetry::cost {

struct ClockCells {
    std::string_view family;
    int lutInputs;
    double lut;         ///< through the slower inputs: the longest path takes those
    double registerOut; ///< clock to output
    double control;     ///< set-up of an enable or a reset
    double setup;       ///< of a register behind logic
    double intoSum;     ///< an operand into the carry chain, with the LUT there
    int carryBits;      ///< of one block of the chain
    double carryBlock;  ///< from one block to the next
    double outOfSum;
    double ramOut;       ///< clock to output without an output register
    double ramAddress;   ///< set-up
    double ramData;      ///< set-up
    double lutRamOut;    ///< write clock to a word that is read at that time
    double lutRamRead;   ///< address to word
    double lutRamWrite;  ///< set-up
    double multiplierIn; ///< set-up of the register in front of it
    double multiplier;   ///< from that register to the product's
    double productOut;   ///< clock to output of the product's register
    double wire;         ///< allowance for each connection outside a carry chain
    std::string_view basis;
};

/// Null of families without cells.
const ClockCells* clockCells(std::string_view family);

} // namespace marquetry::cost
