// Pool solutions whose units run side by side: the time that counts is that of the unit which has
// most to do.
//
// Where frames come in groups and each unit has a queue (design/frame_groups.h), units work on
// different groups at once. The best units are then not those with the least sum of times, which is
// what the pool search looks for: two units of half the size, each of the shape that its layers
// fill, may end sooner. Which call runs on which unit is scheduling on unrelated machines; here
// with the machines to be bought under the DSP limit.
//
// Heuristic, and so no bound: sets of units grow one by one from all pairs, of those with about as
// many DSP blocks the best are kept, calls go to the unit that is done first, the longest before
// the others, and are moved or swapped as long as the longest queue gets shorter. Calls of lane
// units, which no unit of products can run, are balanced by themselves; both share the limit.
// Streamed circuits are units of one call each, without blocks, for which the limit on logic has
// room; as their memories may have none, the best sets without them are found as well.
//
// Complexity: O(units² · calls), and O(kept · units · calls) for each further unit. Thread rule:
// pure.
#pragma once

#include "engine/extract/problem.h"

#include <stop_token>
#include <vector>

namespace marquetry::extract {

/// Of each number of units of products the best that is found, if it is faster than with fewer and
/// meets the pins; the fastest first. Then likewise those that stream calls.
std::vector<PoolSolution> balancedSolutions(const ExtractionProblem& problem, std::stop_token stop);

} // namespace marquetry::extract
