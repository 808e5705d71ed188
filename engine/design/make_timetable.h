// The timetable of a design from its schedule.
//
// Complexity: that of predictCycles. Thread rule: pure.
#pragma once

#include "engine/design/design.h"
#include "engine/design/timetable.h"

namespace marquetry::design {

/// Without a schedule there are no steps, and `missing` says why.
Timetable makeTimetable(const Design& design);

} // namespace marquetry::design
