// Block memories that are deeper than a block.
//
// Blocks lie one behind the other, and LUTs choose which of them answers: a LUT holds a choice of
// four for a bit. The shape is that with the fewest blocks, as synthesis takes it. Units: words,
// bits, LUTs. Thread rule: pure.
#pragma once

#include "engine/device/device.h"

#include <cstdint>

namespace marquetry::cost {

/// Of a memory of `words` words of `bits` bits; none where one row of blocks holds them.
double deepMemoryLuts(const device::Device& device, std::int64_t words, std::int64_t bits);

} // namespace marquetry::cost
