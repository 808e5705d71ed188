// From layers and the units they run on to a schedule (design/schedule.h).
//
// Tensors get slots by the times they live (design/tensor_slots.h); a step reads and writes
// different slots. Inputs are loaded first and outputs stored last, in declaration order; inputs
// that only banded layers read come with their bands. A value that external memory holds is stored
// there behind the steps that make it, and is on the chip again for each group of neighbouring
// layers that read it. Complexity: O(layers · slots + steps). Thread rule: pure.
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
    /// Runs of layers that are computed in bands, each for which mayBand holds, none joined to
    /// another; of runs of one frame.
    std::vector<LayerBands> bands = {};
    /// Bands that may be begun before an earlier one of their run has ended (band_order.h). 0: all
    /// steps run one after another; else those that can run beside others do (step_queues.h).
    std::size_t ahead = 0;
    /// Values that external memory holds, for each of which mayLieOutside holds. They leave the
    /// chip as they are made: whole, or with the bands in which they are. Layers in bands read them
    /// band by band, other layers as a whole. No layer is joined to one before it that makes one,
    /// or that one is loaded behind.
    std::vector<ir::ValueId> outside = {};
};

/// Whether the layers can be computed in bands: each makes rows of windows that touch the image, or
/// of single pixels, of stored images, or moves rows of these one by one (moves_of.h), and nobody
/// else reads what lies between them and is not outside.
bool mayBand(const ir::Program& program, const ir::LayerPlan& plan, std::size_t first,
             std::size_t last, const std::vector<ir::ValueId>& outside = {});

/// Whether external memory can hold the value: an image that a layer makes, and no output.
bool mayLieOutside(const ir::Program& program, const ir::LayerPlan& plan, ir::ValueId value);

/// The stored values that a layer reads.
std::vector<ir::ValueId> storedOperands(const ir::Layer& layer);

Schedule buildSchedule(const ScheduleRequest& request);

/// What the lanes of a layer's unit do; None where the layer is not lanewise.
LaneFunction laneFunctionOf(const ir::Program& program, const ir::Layer& layer);

/// "[A-Za-z_][A-Za-z0-9_]*": the program's name made safe for hardware.
std::string identifier(const std::string& name);

} // namespace marquetry::design
