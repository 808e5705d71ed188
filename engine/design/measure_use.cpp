#include "engine/design/measure_use.h"

#include <algorithm>

namespace marquetry::design {

void measureUse(Design& design) {
    std::int64_t start = 0;
    for (DesignCall& call : design.calls) {
        call.start = call.id.index() == 0 ? 0 : start - call.overlap;
        start = call.start + call.cycles;
    }
    const auto cycles = static_cast<double>(std::max<std::int64_t>(1, design.cycles));
    double done = 0;
    double multipliers = 0;
    for (DesignUnit& unit : design.units) {
        std::int64_t busy = 0;
        std::int64_t macs = 0;
        for (const CallId id : unit.callSites) {
            busy += design.call(id).cycles;
            macs += design.frames * design.call(id).macs;
        }
        unit.busy = static_cast<double>(busy) / cycles;
        unit.utilisation = 0;
        if (unit.multipliers == 0)
            continue;
        unit.utilisation =
            static_cast<double>(macs) / (static_cast<double>(unit.multipliers) * cycles);
        done += static_cast<double>(macs);
        multipliers += static_cast<double>(unit.multipliers);
    }
    design.utilisation =
        multipliers > 0 ? std::optional(done / (multipliers * cycles)) : std::nullopt;
}

} // namespace marquetry::design
