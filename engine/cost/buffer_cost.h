// Block RAM of the memories our generator builds.
//
// No bank is wider than 32 bits: a wide byte-sliced memory costs up to eight times the blocks, and
// 32 bits fit the narrowest shape every device has at full depth (M20K 40, RAMB18 36, EBR 36), so
// wider banks would only waste blocks. Units: blocks of the device. Thread rule: pure.
#pragma once

#include "engine/device/device.h"

#include <cstdint>

namespace marquetry::cost {

inline constexpr std::int64_t kMaxBankBits = 32;

struct BankedMemory {
    std::int64_t banks = 1;
    std::int64_t bankBits = 8;
    std::int64_t words = 0;
    double blocks = 0;
};

/// Weights of a unit: words of `elements` × `elementBits`, read as a whole, in banks of
/// kMaxBankBits.
BankedMemory weightMemory(const device::Device& device, std::int64_t words, std::int64_t elements,
                          int elementBits);

/// An activation slot: words of `lanes` stored elements, written `writeLanes` at a time.
BankedMemory slotMemory(const device::Device& device, std::int64_t words, std::int64_t lanes,
                        std::int64_t writeLanes, int elementBits);

} // namespace marquetry::cost
