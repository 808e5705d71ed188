// Verification of a design: every figure recomputed from the parts, before anyone sees it.
//
// Errors: design-cycles, design-resources, design-calls with the figure that does not add up.
// Thread rule: pure.
#pragma once

#include "engine/design/design.h"
#include "engine/device/device.h"
#include "engine/support/result.h"

namespace marquetry::design {

Status verifyDesign(const Design& design, const device::Device& device);

} // namespace marquetry::design
