// LUTs of small circuits as synthesis builds them, for the cost terms. Internal to the module.
// Thread rule: pure.
#pragma once

#include "engine/device/device.h"

#include <cstdint>

namespace marquetry::banking {

/// An n:1 multiplexer, per bit.
std::int64_t muxLuts(std::int64_t inputs);
/// n gated inputs joined, per bit.
std::int64_t joinLuts(std::int64_t inputs);

/// A bank without block RAM: LUTs and registers of one memory.
device::Resources lutBank(std::int64_t depth, std::int64_t bits, const device::Device& device);

} // namespace marquetry::banking
