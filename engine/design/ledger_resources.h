// What of the device a design uses and by what, and what holds it back: the parts of a ledger that
// no step says. Thread rule: pure.
#pragma once

#include "engine/design/design.h"
#include "engine/design/ledger.h"
#include "engine/device/device.h"

namespace marquetry::design {

/// DSP, block RAM, LUT and FF. What no unit and no memory takes is the control's.
std::vector<LedgerResource> ledgerResources(const Design& design, const device::Device& device,
                                            const device::Resources& limits);

/// External weights of a call.
struct ExternalWeights {
    const device::Device& device;
    double freeBlocks = 0; ///< of block RAM, within the limits
    const ScheduleUnit& unit;
    const LedgerWeights& weights;
    std::int64_t waiting = 0; ///< clocks of the call
};

/// The blocks that they would take on the chip, and those that are free.
std::string whyExternal(const ExternalWeights& call);

/// Of a ledger that is whole otherwise.
LedgerBinding ledgerBinding(const Ledger& ledger);

} // namespace marquetry::design
