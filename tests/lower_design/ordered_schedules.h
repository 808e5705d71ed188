// Random schedules whose steps run in queues, and what check says of those that are changed.
#pragma once

#include "engine/design/schedule.h"

#include <string>
#include <vector>

namespace marquetry::test {

/// Ordered designs of chains in bands, with values outside, and of groups of frames.
const std::vector<design::Schedule>& orderedSchedules();

/// It is refused, with a message that has those words.
void expectNoOrder(const design::Schedule& schedule, const std::string& why);

} // namespace marquetry::test
