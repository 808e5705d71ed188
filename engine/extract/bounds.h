// Lower bounds on cycles: figures that no design under the limits can be below.
//
// The bound is the least over all choices of ways. That of one choice is the greater of two: what
// its calls take at least, one by one, less what joins can save and what weights in block RAM can;
// and, where no two calls can be joined, what the pool search proved. Sets of choices have bounds
// of the same kind, and only those that decide are divided.
// Thread rule: pure.
#pragma once

#include "engine/extract/extract.h"
#include "engine/extract/problem.h"

namespace marquetry::extract {

/// Cycles no design under the limits can beat. O(calls · entries), and for each set that is divided
/// O(calls · log calls).
double cyclesLowerBound(const ExtractionProblem& problem, const PoolResult& result,
                        const ExtractParams& params);

/// Cycles that no design can beat whose steps run beside others in queues (design/step_queues.h):
/// what only the first queue runs takes what it takes alone, less what joins can save, and streams
/// move one after another.
double queuesLowerBound(const ExtractionProblem& problem, const ExtractParams& params);

/// Cycles to load the inputs and store the outputs of so many frames.
std::int64_t transferCycles(const rules::Lowered& lowered, std::int64_t frames);

} // namespace marquetry::extract
