// From layers and the units they run on to a schedule (design/schedule.h).
//
// Tensors get slots by the times they live: a tensor lives from the step that writes it to the last
// that reads it; two tensors that live at once never share a slot, and a step reads and writes
// different slots. Greedy in program order: a tensor takes the slot that grows least by it, or a
// new one if that is smaller. Inputs are loaded first and outputs stored last, in declaration
// order. Complexity: O(layers · slots). Thread rule: pure.
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
};

Schedule buildSchedule(const ScheduleRequest& request);

/// What the lanes of a layer's unit do; None where the layer is not lanewise.
LaneFunction laneFunctionOf(const ir::Program& program, const ir::Layer& layer);

/// "[A-Za-z_][A-Za-z0-9_]*": the program's name made safe for hardware.
std::string identifier(const std::string& name);

} // namespace marquetry::design
