// The same question as the pool search, asked of CBC: which e-nodes, and which units are outlined.
//
// An oracle that shares no search with pool.h: no pools, no Pareto sets, no dominance. Every call
// and every class that may be outlined gets its own copy of the classes below it, in which binary
// e-nodes make one path (background/skeleshare.md, "Extraction as a mixed-integer programme"). Time
// is a generalised flow: one invocation enters at a call, a loop or convolution multiplies it, and
// it leaves at a ParallelDot, which costs its time per invocation, or into the use of an outlined
// class, which costs COMMUNICATION_COST and goes on in that class's copy. Flow bounds by least and
// greatest gain take the place of big constants. Under the Cycles model a call's time depends on
// the rows computed at once only, so the paths carry their logarithm instead.
//
// The design follows from the pool search; this answers with a value and a bound.
// Errors: pin-unknown. Complexity: exponential; it closes a few layers. Thread rule: pure.
#pragma once

#include "engine/extract/milp_result.h"
#include "engine/extract/problem.h"

namespace marquetry::extract {

struct MilpParams {
    double seconds = 600;
    /// Time of a design that is known: longer ones are not looked for. Infinite: none is known.
    double known = milp::kInfinity;
};

/// The problem's graph, cost, limits and pins; its entries and paths are not looked at.
Result<MilpResult> solveMilp(const ExtractionProblem& problem, const ProblemParams& params,
                             const MilpParams& milp, std::stop_token stop);

} // namespace marquetry::extract
