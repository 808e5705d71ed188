// Estimated cycles of calls whose external weights come through rings, without single words.
//
// Weights are read call after call, as early as their ring has room. A word of a block has room for
// its successor when the last pixel has used it, so a ring that holds less than two blocks makes
// every block wait for part of its words. Bursts and the queue of beats are not counted: a replay
// of the schedule does (design/weight_traffic.h). Complexity: O(calls). Thread rule: pure.
#pragma once

#include "engine/extract/memory_plan.h"

#include <cstdint>
#include <vector>

namespace marquetry::extract {

/// `external`: by call, never where there is no memory. `rings`: words, by unit; longer ones never
/// take longer.
double callCycles(const MemoryProblem& problem, const std::vector<bool>& external,
                  const std::vector<std::int64_t>& rings);

} // namespace marquetry::extract
