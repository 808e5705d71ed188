// What a mover cannot do. Thread rule: pure.
#pragma once

#include "engine/design/schedule.h"

#include <string>

namespace marquetry::hdl {

/// Empty when it can.
std::string whyNoMove(const design::Schedule& schedule, const design::MoveStep& step);

} // namespace marquetry::hdl
