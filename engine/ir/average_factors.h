// What the sums of an avgpool's windows are multiplied by: windows at the edges hold fewer elements
// than others where their padding does not count.
//
// Thread rule: pure.
#pragma once

#include "engine/ir/program.h"

#include <cstdint>
#include <vector>

namespace marquetry::ir {

/// Of a value that an avgpool computes: a positive factor for each of its pixels, row-major. Linear
/// in them.
std::vector<std::int64_t> averageFactors(const Program& program, const Value& average);

/// The greatest of them; 1: the average is the sum. Quick for pictures of any size.
std::int64_t mostAverageFactor(const Program& program, const Value& average);

} // namespace marquetry::ir
