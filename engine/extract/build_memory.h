// The memories of a design on our hardware: schedule, slots, weights on chip, and what they cost.
//
// Adds to a design whose units and calls are made: buffers, resources, cycles with external
// weights, cost terms, and the schedule when the generator can build it. Thread rule: pure.
#pragma once

#include "engine/extract/blocks.h"
#include "engine/extract/build_design.h"

namespace marquetry::extract {

/// Blocks: more slots are built of LUTs (buffer_plans.h). Luts: no weights are (memory_plan.h).
enum class Thrift : std::uint8_t { None, Blocks, Luts };

void placeMemories(const ExtractionProblem& problem, const BlockPlan& plan,
                   const ExtractParams& params, Thrift thrift, BuiltDesign& built);

} // namespace marquetry::extract
