// What a step is called, and what runs it. Thread rule: pure.
#pragma once

#include "engine/design/schedule.h"

#include <optional>
#include <string>

namespace marquetry::design {

/// "layer conv1", "the load of x", "the store of y".
std::string nameOf(const Step& step);
/// Nothing of loads and stores.
std::optional<UnitId> unitOfStep(const Step& step);

} // namespace marquetry::design
