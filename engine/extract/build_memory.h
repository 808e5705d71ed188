// The memories of a design on our hardware: schedule, slots, weights on chip, and what they cost.
//
// Adds to a design whose units and calls are made: buffers, resources, cycles with external
// weights, cost terms, and the schedule when the generator can build it. Thread rule: pure.
#pragma once

#include "engine/extract/blocks.h"
#include "engine/extract/build_design.h"

namespace marquetry::extract {

/// `unitLuts`: what units take, where it is known: memories and what is around them take no more
/// than they leave.
void placeMemories(const ExtractionProblem& problem, const BlockPlan& plan,
                   const ExtractParams& params, std::optional<double> unitLuts, BuiltDesign& built);

} // namespace marquetry::extract
