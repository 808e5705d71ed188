// Where a set of lanes with one common matrix is active, in closed form (background/banking.md,
// "Loops with ends"). Internal to the module.
//
// Active are the iterations in which every lane's counters run and every lane's address is inside
// the array. They are given as a progression of addresses of the first lane. A dimension that moves
// with one counter bounds that counter. A dimension with an unknown value of its own can be
// anywhere inside the array. Counters that move one dimension only, and together form one
// progression (a tiled loop), count as one. Thread rule: pure.
#pragma once

#include "engine/banking/access.h"

#include <optional>
#include <span>

namespace marquetry::banking {

struct Region {
    bool closedForm = false; ///< false: the closed form does not apply
    bool empty = false;
    Starts starts; ///< of the first lane
};

/// The lanes have equal matrices; their limits (ir/memory_lanes.h) are left out of account.
Region regionOf(std::span<const ir::MemoryLane* const> lanes,
                const std::vector<ir::Generator>& generators, const ir::Shape& dims);

/// Joins progressions that continue each other; the union stays the same.
void mergeStarts(std::vector<Starts>& starts);

} // namespace marquetry::banking
