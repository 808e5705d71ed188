// Delays of cells between registers, in ps: those of Yosys' library for the 7 series, without
// wires. The timing of a datapath (datapath/path_delay.h) and the length of a loop (loop_length.h)
// are made of them. Thread rule: constants.
#pragma once

#include "engine/device/lut6.h"

#include <cstdint>

namespace marquetry::spacetime {

/// Between registers, unless another limit is asked for.
inline constexpr double kPathLimit = 4900;

inline constexpr double kRegisterDelay = 400;       ///< of a register's output, and its input
inline constexpr double kShiftRegisterDelay = 1472; ///< of a shift register's in LUTs
inline constexpr double kMemoryDelay = 2454;        ///< of a block RAM's
inline constexpr double kMemorySetup = 737;

inline constexpr double kLutDelay = 300;
inline constexpr double kShifterDelay = 3 * kLutDelay; ///< by a number that changes
inline constexpr double kEqualDelay = 3 * kLutDelay;
inline constexpr double kProductDelay = 2500; ///< in its DSP blocks, before their registers
/// A sum behind another one waits for the top bit only.
inline constexpr double kOneMoreSum = 900;

/// Of a sum by itself: a LUT, into the chain and out of it, and blocks of four bits.
inline constexpr double carryDelay(int bits) {
    return 770 + 114.0 * ((bits + 3) / 4);
}

/// From the index through a table in LUTs: a LUT, what a slice chooses between without one, and
/// choices of four.
inline constexpr double tableDelay(std::int64_t rows) {
    constexpr double kSliceChoice = 450;
    constexpr std::int64_t kTablesOfSlice = 4;
    const std::int64_t tables = (rows + device::kLutRows - 1) / device::kLutRows;
    double delay = kLutDelay + (tables > 1 ? kSliceChoice : 0);
    for (std::int64_t left = (tables + kTablesOfSlice - 1) / kTablesOfSlice; left > 1;
         left = (left + 3) / 4)
        delay += kLutDelay;
    return delay;
}

} // namespace marquetry::spacetime
