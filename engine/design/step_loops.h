// The loops of a step, as hardware goes through them, and what it reads and writes.
//
// Complexity: O(loops). Thread rule: pure.
#pragma once

#include "engine/design/timetable.h"

namespace marquetry::design {

/// Outermost first; of one iteration: none.
std::vector<TimedLoop> loopsOf(const Schedule& schedule, const Step& step);

std::vector<StepPlace> placesRead(const Schedule& schedule, const Step& step);
std::vector<StepPlace> placesWritten(const Schedule& schedule, const Step& step);

} // namespace marquetry::design
