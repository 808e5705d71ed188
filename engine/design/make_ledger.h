// The ledger of a design from its schedule: the clocks of every step by what they are spent on.
//
// Clocks come from the functions that the cycle model adds up (cost/call_timing.h and those beside
// it) and from its replay of external memory. Multiplications are those that the results of the
// nest need, which are all of the program's but those of pixels that no pool takes.
//
// Complexity: that of predictCycles. Thread rule: pure.
#pragma once

#include "engine/design/design.h"
#include "engine/design/ledger.h"
#include "engine/device/device.h"

namespace marquetry::design {

/// `limits`: in force. Without a schedule there are no rows, and `missing` says why.
Ledger makeLedger(const Design& design, const device::Device& device,
                  const device::Resources& limits);

} // namespace marquetry::design
