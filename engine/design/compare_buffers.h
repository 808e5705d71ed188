// The buffers of two designs side by side.
//
// They are matched by name, weights with weights; of those that share a name, the first of one with
// the first of the other. Complexity: n log n in buffers. Thread rule: pure.
#pragma once

#include "engine/design/comparison.h"
#include "engine/design/design.h"

#include <vector>

namespace marquetry::design {

/// Those of both in the order of A, then those of A alone, then those of B alone.
std::vector<ComparedBuffer> comparedBuffers(const Design& a, const Design& b);

} // namespace marquetry::design
