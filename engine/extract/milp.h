// Extraction as a mixed-integer linear programme for CBC: which e-nodes are chosen, and which units
// are outlined.
//
// This is an oracle for pool.h and shares no search with it: no pools, no Pareto sets, no
// dominance. Every call and every class that may be outlined gets its own copy of the classes below
// it, in which binary variables of e-nodes make one path (background/skeleshare.md, "Extraction as
// a mixed-integer programme").
//
// Time is a generalised flow. One invocation enters at a call, and a loop or convolution multiplies
// it. It leaves at a ParallelDot, which costs its time per invocation, or at the use of an outlined
// class, which costs COMMUNICATION_COST and goes on in that class's copy. Bounds on the flow by its
// least and greatest gain take the place of big constants. Under the Cycles model the time of a
// call depends only on the rows computed at once, so the paths carry the logarithm of that number
// instead.
//
// A path passes each class of a copy once. Under pins on terms the pool search may go round a class
// again (paths.h) and then finds a better design, or one where there is none on these paths.
//
// The answer is a value and a bound; the design itself follows from the pool search.
// Errors: pin-unknown. Complexity: exponential; it solves a few layers. Thread rule: pure.
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
