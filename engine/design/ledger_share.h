// What of a step's clocks the run waits for. Thread rule: pure.
#pragma once

#include "engine/design/ledger.h"

namespace marquetry::design {

/// Of a step's clocks of a part, those in which the run waits for the step. Which of its clocks are
/// of a part is not known, so where the run waits for some of them only, it is a share of each
/// part.
inline double criticalOf(const LedgerClocks& step, ClockPart part) {
    const std::int64_t alone = step.alone();
    return alone > 0
               ? step.of(part) * static_cast<double>(step.cycles()) / static_cast<double>(alone)
               : 0;
}

} // namespace marquetry::design
