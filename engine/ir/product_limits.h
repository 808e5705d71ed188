// What limits products that a unit computes, besides the types that the language gives them.
//
// Complexity: O(1). Thread rule: pure.
#pragma once

#include "engine/ir/layer.h"

#include <string>

namespace marquetry::ir {

/// Empty when a unit of products computes the layer's anchor.
std::string whyNoProducts(const Program& program, const Layer& layer);

} // namespace marquetry::ir
