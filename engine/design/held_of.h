// What a layer's product holds in place of weights, and its batches. Thread rule: pure.
#pragma once

#include "engine/design/held.h"
#include "engine/ir/layer.h"

namespace marquetry::design {

/// Products of the layer, one after another.
std::int64_t batchesOf(const ir::Program& program, const ir::Layer& layer);

/// Of a layer whose second operand is a stored tensor, in words of `lanes`.
HeldMatrix heldMatrix(const ir::Program& program, const ir::LayerPlan& plan, const ir::Layer& layer,
                      std::int64_t batch, std::int64_t lanes);

} // namespace marquetry::design
