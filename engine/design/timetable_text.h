// A timetable for other programs: one JSON object with everything, steps in the schedule's order;
// tokens and `awaited` are numbers of steps. Thread rule: pure.
#pragma once

#include "engine/design/timetable.h"

#include <string>

namespace marquetry::design {

/// Indented.
std::string timetableJson(const Timetable& timetable);

} // namespace marquetry::design
