// Private units for calls that could then overlap with a neighbour.
//
// A pool solution says nothing of overlaps: calls of one unit follow each other, and sharing costs
// no time. With DSP blocks left over, a call that gets a unit of its own can be joined to its
// neighbour (joins.h). Which calls to move is a knapsack along the chain of calls: pairs that do
// not touch, their private units within the limit, the greatest saving. Savings are those of calls
// on the cheapest private units that are no slower. Complexity: O(calls · kMaxChoices); the
// schedule's nests are played once. Thread rule: pure.
#pragma once

#include "engine/design/build_schedule.h"
#include "engine/extract/blocks.h"

#include <optional>

namespace marquetry::extract {

/// What a schedule is built from when the calls run on these blocks. Units are named by number.
design::ScheduleRequest scheduleRequest(const ExtractionProblem& problem, const BlockPlan& plan);

/// nullopt when no call gains by moving.
std::optional<PoolSolution> splitForOverlap(const ExtractionProblem& problem,
                                            const PoolSolution& solution);

} // namespace marquetry::extract
