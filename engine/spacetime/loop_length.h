// How long the loop of a scan is: from a state to the next one through its function, once for each
// of the elements that come side by side.
//
// Delays are those of path_table.h, of words as wide as their types, so a loop of narrower words is
// shorter. What the elements go through before they meet the state is not part of the loop. A loop
// of several clocks has registers between its operators, as many and as early as the limit asks
// for; a product of two values, and a table in block RAM, take the clocks that they have in our
// hardware (delay.h).
//
// Complexity: linear in the function, times the lanes after which a state is at the same place in
// its clock as one before. Thread rule: pure.
#pragma once

#include "engine/device/device.h"
#include "engine/spacetime/operators.h"
#include "engine/spacetime/path_table.h"

namespace marquetry::spacetime {

struct LoopLength {
    double ps = 0;           ///< of all that is between two states, registers left out
    std::int64_t clocks = 1; ///< that it takes at least
    auto operator<=>(const LoopLength&) const = default;
};

/// What a loop has for one clock: the limit of all paths, or more where the device's clock is
/// slower.
double loopLimit(const device::Device& device);

/// Of a function of a state and an element whose operands meet at equal delays (match_delays.h),
/// with `lanes` of them in a row.
LoopLength loopLength(const Graph& function, std::int64_t lanes, double limit);

} // namespace marquetry::spacetime
