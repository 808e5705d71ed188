// What the windows of a compute step take and where they reach.
//
// Units: words, pixels. Complexity: O(1). Thread rule: pure.
#pragma once

#include "engine/cost/call_words.h"
#include "engine/design/schedule.h"
#include "engine/ir/layer.h"

namespace marquetry::design {

/// The layer is a convolution that a unit of products computes.
bool convolves(const ir::Program& program, const ir::Layer& layer);

/// What such a layer reads for a result; by whole windows where it alone reads an input of the
/// program or what a unit computes.
cost::WindowWords windowWords(const ir::Program& program, const ir::LayerPlan& plan,
                              const ir::Layer& layer, std::int64_t lanes);

/// Iterations for a row of the kernel.
std::int64_t runWords(const Schedule& schedule, const ComputeStep& step);

/// Innermost iterations per result: those of all rows of the kernel.
std::int64_t reductionWords(const Schedule& schedule, const ComputeStep& step);

/// Whether some window of the step reaches out of its input.
bool readsOutside(const Schedule& schedule, const ComputeStep& step);

} // namespace marquetry::design
