// How far the hardware of a design is used. Complexity: linear in calls and units. Thread rule:
// pure.
#pragma once

#include "engine/design/design.h"

namespace marquetry::design {

/// Fills in where calls start, and busy and utilisation of units and design, from the calls.
void measureUse(Design& design);

} // namespace marquetry::design
