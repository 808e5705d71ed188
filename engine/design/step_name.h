// Steps by name, for messages. Thread rule: pure.
#pragma once

#include "engine/design/schedule.h"

#include <string>

namespace marquetry::design {

/// "layer conv1", "the load of x", "the store of y".
std::string nameOf(const Step& step);

} // namespace marquetry::design
