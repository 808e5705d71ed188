// Memories that a buffer's banks are built of.
//
// A bank is as wide as the words it holds; it is built of memories side by side. In block RAM they
// are as wide as a block is at some depth, whichever width takes the fewest blocks: 512 bits take
// 13 columns of 40 bits of an M20K, not 16 of 32. Nothing is wider than 64 bits: a wide byte-sliced
// memory costs up to eight times the blocks. Units: blocks, LUTs and flip-flops of the device.
// Thread rule: pure.
#pragma once

#include "engine/cost/call_timing.h"
#include "engine/device/device.h"

#include <algorithm>
#include <cstdint>

namespace marquetry::cost {

/// Fits the narrowest shape every device has at full depth (M20K 40, RAMB18 36, EBR 36).
inline constexpr std::int64_t kUsualMemoryBits = 32;
inline constexpr std::int64_t kMaxMemoryBits = 64;

/// Memories side by side.
struct BankMemory {
    bool lutRam = false;
    std::int64_t memoryBits = kUsualMemoryBits; ///< of a memory; the last one may be narrower
    std::int64_t memories = 0;
    device::Resources resources; ///< of all of them
};

/// Weights of a unit: words of `elements` × `elementBits`, read as a whole, one memory in block RAM
/// of whichever shape takes the fewest blocks: what they hold is constant, and a synthesiser makes
/// of a constant table in LUTs what it likes.
BankMemory weightMemory(const device::Device& device, std::int64_t words, std::int64_t elements,
                        int elementBits);

/// Words of `bits` bits of so many turns, turned until the first one comes first: a choice of four
/// takes a LUT.
double turnLuts(std::int64_t turns, std::int64_t bits);

/// Halvings of the turns in which the words that were read are turned in their clock, and in the
/// one after it: what a block memory gives comes late in its clock.
constexpr int earlyHalvings(std::int64_t turns) {
    const int all = static_cast<int>(treeLevels(turns));
    return std::max(std::min(all, 2), all - 2);
}
constexpr int lateHalvings(std::int64_t turns) {
    return static_cast<int>(treeLevels(turns)) - earlyHalvings(turns);
}

/// Words that are registers in between, of which a unit takes `taken`.
constexpr std::int64_t turnedWords(std::int64_t turns, std::int64_t taken) {
    return std::min(taken, std::int64_t{1} << earlyHalvings(turns)) << lateHalvings(turns);
}

/// A bank of an activation buffer: one word of `bits` read and one written per clock, the read one
/// registered. In LUT RAM where the device has any and that takes the smaller part of `limits`
/// (banking::areaOf).
BankMemory activationBank(const device::Device& device, const device::Resources& limits,
                          std::int64_t words, std::int64_t bits);

} // namespace marquetry::cost
