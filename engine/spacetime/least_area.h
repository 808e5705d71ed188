// Lower bounds of the area of a value, whatever its layout: what a search still has to spend.
//
// An operator that is evaluated w times in s clocks is there at least w / s times. A shift by r
// elements stores r of them in every layout that has not the whole sequence side by side, which
// only sequences up to the widest layout can. A store that would exceed the bound in registers is
// not in registers, and so on; what is left gives the least of each resource. Products, which may
// be with constants, count nothing.
// Complexity: linear in the graph with its functions. Thread rule: pure.
#pragma once

#include "engine/device/device.h"
#include "engine/ir/stream_program.h"

namespace marquetry::spacetime {

struct WithinLimits {
    double bound;         ///< sum of fractions of the device
    std::int64_t maxBits; ///< widest layout, in a clock
};

/// Least area of every node's operator, in a graph that takes `clocks`. By node.
std::vector<device::Resources> leastAreas(const ir::StreamGraph& graph, std::int64_t clocks,
                                          const device::Device& device, WithinLimits limits);

} // namespace marquetry::spacetime
