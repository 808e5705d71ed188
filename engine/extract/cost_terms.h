// The time and resources of a design as terms, each with the sum that it comes from.
//
// Complexity: O(calls + units + buffers). Thread rule: pure.
#pragma once

#include "engine/design/design.h"
#include "engine/device/device.h"

#include <string>
#include <vector>

namespace marquetry::extract {

/// `formulas`: of the calls' cycles, without overlaps.
void addCostTerms(design::Design& design, const std::vector<std::string>& formulas,
                  const device::Device& device);

} // namespace marquetry::extract
