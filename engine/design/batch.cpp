#include "engine/design/batch.h"

#include "engine/design/held_of.h"
#include "engine/design/row_step.h"

#include <algorithm>

namespace marquetry::design {

std::string whyOneFrame(const ir::Program& program, const ir::LayerPlan& plan) {
    constexpr std::int64_t kAnyLanes = 8;
    for (const ir::Layer& layer : plan.layers) {
        if (!layer.pass && !layer.weight)
            return "layer " + layer.name + " multiplies two tensors of the frame";
        if (!layer.pass && layer.unbuildable.empty() && batchesOf(program, layer) > 1)
            return "layer " + layer.name + " is computed in parts";
        if (!layer.rows)
            continue;
        const cost::SecondOperand second = rowShape(program, plan, layer, kAnyLanes).second;
        if (second == cost::SecondOperand::Row || second == cost::SecondOperand::Entry)
            return "layer " + layer.name + " takes one row for all rows of the frame";
    }
    return {};
}

} // namespace marquetry::design
