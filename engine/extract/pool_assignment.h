// The best unit for every call inside one pool: a multiple-choice knapsack, solved exactly.
//
// A dynamic programme goes over the calls and keeps the sums of (time, dsp, convolutions) that no
// other sum beats. A sum is dropped when it cannot lead to a better answer, given what the
// remaining calls must still cost at a price per DSP. Where the limit on logic does not let every
// call go any of its ways, sums hold logic as well, and of very many only the fastest are kept: the
// solution is then one that fits, not always the best. O(calls · |set|² · choices).
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
