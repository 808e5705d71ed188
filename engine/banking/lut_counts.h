// LUTs of small circuits as synthesis builds them, for the cost terms. Internal to the module.
// Thread rule: pure.
#pragma once

#include "engine/device/device.h"
#include "engine/ir/memory_lanes.h"

#include <cstdint>
#include <vector>

namespace marquetry::banking {

/// n gated inputs joined, per bit.
std::int64_t joinLuts(std::int64_t inputs);

/// The bits of a bank's number, each a XOR of index bits.
std::int64_t parityLuts(const std::vector<ir::FlatMap>& maps);
/// An index of so many bits out of the counters: an adder per term that overlaps those before it.
std::int64_t sumLuts(const ir::MemoryLane& lane, const ir::UnrolledNest& nest, std::size_t dim,
                     std::int64_t bits);

/// Words of LUT RAM that are one row of a bank of this depth: rows are multiplexed.
std::int64_t lutRow(std::int64_t depth);

/// A bank without block RAM: LUTs and registers of one memory of which `words` are ever read.
device::Resources lutBank(std::int64_t depth, std::int64_t words, std::int64_t bits,
                          const device::Device& device);

} // namespace marquetry::banking
