// Private units for calls that could then overlap with a neighbour.
//
// A pool solution knows no overlap: calls of one unit follow each other, and sharing costs no time.
// Where DSP blocks are left over, a call with a unit of its own can be joined to its neighbour
// (joins.h). Which calls to move is a knapsack problem along the chain of calls: pairs that do not
// touch, private units within the limit, and the greatest saving. Savings are computed with the
// cheapest private units that are no slower.
// Complexity: O(calls · kMaxChoices); the nests of the schedule are stepped through once. Thread
// rule: pure.
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
