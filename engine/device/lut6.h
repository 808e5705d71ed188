// What a LUT with six inputs holds: logic, a shift register, or memory.
//
// Everything that prices or builds streams and memories for such LUTs takes the figures from here.
// Units: LUTs; words of one bit
// unless it says otherwise. Thread rule: constants and pure functions.
#pragma once

#include "engine/device/device.h"
#include "engine/support/checked_math.h"

#include <cstdint>

namespace marquetry::device {

/// Whether the device's LUTs are of this kind. Streams are priced and built for such devices.
bool hasLut6(const Device& device);

/// A LUT is any function of so many bits.
inline constexpr int kLutInputs = 6;
/// A table of constants with one output: as many rows as there are values of the inputs.
inline constexpr std::int64_t kLutRows = std::int64_t{1} << kLutInputs;

/// LUTs that choose one of so many bits: one is a choice of four, so each takes three further ones.
constexpr std::int64_t muxLuts(std::int64_t inputs) {
    return inputs <= 1 ? 0 : ceilDiv(inputs - 1, 3);
}

/// Registers in a row from which on synthesis makes a shift register of them.
inline constexpr std::int64_t kLeastShift = 3;
/// Words of a shift register in one LUT.
inline constexpr std::int64_t kShiftDepth = 32;

/// LUTs of a shift register of one bit.
constexpr std::int64_t shiftRegisterLuts(std::int64_t words) {
    return ceilDiv(words, kShiftDepth);
}

/// Words of a memory with one address in one LUT.
inline constexpr std::int64_t kLutWords = kLutRows;
/// Words of a memory with an address to write and one to read, for which one LUT per bit is
/// enough.
inline constexpr std::int64_t kLutRamDepth = 32;
/// Such memories come in groups of LUTs that hold 64 words of 3 bits, or half as many words of
/// twice the bits.
inline constexpr std::int64_t kRamGroupLuts = 4;
inline constexpr std::int64_t kRamGroupWords = 64;
inline constexpr std::int64_t kRamGroupBits = 3;

/// Bits of the words of a group that holds `words` of them, 32 or 64.
constexpr std::int64_t ramGroupBits(std::int64_t words) {
    return kRamGroupBits * (kRamGroupWords / words);
}

} // namespace marquetry::device
