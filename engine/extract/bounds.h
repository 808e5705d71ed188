// Lower bounds on cycles: figures that no design under the limits can be below.
//
// Thread rule: pure.
#pragma once

#include "engine/extract/extract.h"
#include "engine/extract/problem.h"

namespace marquetry::extract {

/// Cycles no design under the limits can beat. O(calls · entries).
double cyclesLowerBound(const ExtractionProblem& problem, const PoolResult& result,
                        const ExtractParams& params);

/// By call: cycles that it takes at least, its weights on chip; infinity: no unit of the problem
/// serves it.
std::vector<double> leastCallCycles(const ExtractionProblem& problem);

/// Cycles that joined calls save at most, each taking its least.
double mostOverlap(const ExtractionProblem& problem);

/// Cycles to load the inputs and store the outputs.
std::int64_t transferCycles(const rules::Lowered& lowered);

} // namespace marquetry::extract
