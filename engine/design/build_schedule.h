// From layers and the units they run on to a schedule (design/schedule.h).
//
// Tensors get slots by the times they live (design/tensor_slots.h); a step reads and writes
// different slots. Inputs are loaded first and outputs stored last, in declaration order; inputs
// that only banded layers read come with their bands. Complexity: O(layers · slots + steps). Thread
// rule: pure.
#pragma once

#include "engine/design/schedule.h"
#include "engine/ir/layer.h"

#include <vector>

namespace marquetry::design {

struct ScheduleRequest {
    const ir::Program* program = nullptr;
    const ir::LayerPlan* plan = nullptr;
    std::int64_t lanes = 8;
    std::vector<ScheduleUnit> units; ///< ids are indices; weightWords, laneFunction are filled in
    std::vector<UnitId> layerUnits;  ///< by layer
    /// By layer: runs while the layer before it does (design/join.h). Empty: none.
    std::vector<bool> joined = {};
    /// By layer: its weights are external. Empty: none. The units say how long their rings are.
    std::vector<bool> external = {};
    ExternalMemory memory = {};
    /// What only one convolution reads, an input or what a unit computes, gets a slot with windows
    /// where it takes fewer words so.
    bool wholeWindows = false;
    std::int64_t frames = 1; ///< of a run; more than one only where whyOneFrame finds no reason
    /// Layers that are computed in bands, each for which mayBand holds, none joined to another; of
    /// runs of one frame.
    std::vector<LayerBands> bands = {};
};

/// Whether the layers can be computed in bands: each makes rows of windows that touch the image, or
/// of single pixels, of stored images, and nobody else reads what lies between them.
bool mayBand(const ir::Program& program, const ir::LayerPlan& plan, std::size_t first,
             std::size_t last);

Schedule buildSchedule(const ScheduleRequest& request);

/// What the lanes of a layer's unit do; None where the layer is not lanewise.
LaneFunction laneFunctionOf(const ir::Program& program, const ir::Layer& layer);

/// "[A-Za-z_][A-Za-z0-9_]*": the program's name made safe for hardware.
std::string identifier(const std::string& name);

} // namespace marquetry::design
