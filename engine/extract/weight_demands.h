// What a schedule asks of the memories of weights: the problem that memory_plan.h solves, and the
// sums behind the cycles of each call.
//
// Complexity: O(steps · calls). Thread rule: pure.
#pragma once

#include "engine/extract/blocks.h"
#include "engine/extract/extract.h"
#include "engine/extract/memory_plan.h"

#include <map>
#include <string>
#include <vector>

namespace marquetry::extract {

/// Units and calls of a design whose memories are not placed yet, from a pool solution.
struct UnplacedDesign {
    const ExtractionProblem& problem;
    const BlockPlan& blocks;
    const ExtractParams& params;
    const design::Design& design;
    BufferPlans& buffers;

    /// The schedule's steps say what the call takes.
    bool asScheduled(std::size_t call) const;
    /// By the name of its layer.
    std::size_t callOf(const std::string& layer) const;
    /// design::numberBits, which is the same in all schedules of the design, and reads files.
    std::int64_t numberBits(const design::Schedule& schedule, design::UnitId unit) const;

    mutable std::map<design::UnitId, std::int64_t> bitsOfNumbers = {}; ///< that are known
};

struct WeightDemands {
    MemoryProblem memory;
    std::vector<std::string> formulas; ///< of the calls' cycles
    device::Resources slots;           ///< all of them

    /// The slots are built otherwise, and leave so many LUTs for rings of weights.
    void rebuildSlots(const device::Resources& built, double lutsLeft);

    /// Of the whole design. `limit`: that the memory problem was made with.
    WeightBlocks blocks(double limit) const;
};

/// All slots of a schedule.
device::Resources slotResources(BufferPlans& buffers, const design::Schedule& schedule,
                                LutPrice price = {});

/// `bands`: of the schedule's layers; each band reads the weights that are external again.
WeightDemands weightDemands(const UnplacedDesign& unplaced, const design::Schedule& schedule,
                            const std::vector<design::LayerBands>& bands);

} // namespace marquetry::extract
