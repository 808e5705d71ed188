// The best choice of every call's unit inside one pool: a multiple-choice knapsack, solved exactly.
//
// Dynamic programme over the calls with undominated sums of (time, dsp, convolutions), each pruned
// by what the rest must still cost at a price per DSP. O(calls · |set|² · choices).
// Thread rule: pure.
#pragma once

#include "engine/extract/pool_relaxation.h"

#include <optional>

namespace marquetry::extract {

/// The least time (then DSP; the other way round for leastDsp) under `budget` that is below
/// `cutoff`; nullopt when there is none, or the stop_token fired.
std::optional<PoolSolution> assignCalls(const PoolProblem& problem, const PoolChoice& choice,
                                        double budget, double cutoff, std::stop_token stop);

} // namespace marquetry::extract
