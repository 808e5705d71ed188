// Exact DAG extraction by branch and bound over reduced problems.
//
// A step reduces its problem under the cutoff, the cost below which a term is wanted. It splits
// what is left into independent parts, bounds each by splitBound(), and branches on one root class
// of a part: one sub-problem per node, the most promising first. The parts are solved one after the
// other, and each gets as its cutoff what the others leave.
//
// When `complete`, the result is optimal: either a term below the cutoff is returned or there is
// none.
// Complexity: exponential at worst; a step costs a reduction. Deterministic by maxSteps unless the
// limits end it. Recursion is as deep as choices are nested, at most kMaxDepth.
// Thread rule: pure.
#pragma once

#include "engine/term_extract/limits.h"
#include "engine/term_extract/selection.h"

namespace marquetry::term_extract {

struct BranchParams {
    double cutoff = std::numeric_limits<double>::infinity(); ///< only terms below it are looked for
    std::uint64_t maxSteps = std::numeric_limits<std::uint64_t>::max();
};

struct BranchResult {
    Selection best; ///< empty: none found below the cutoff
    bool complete = true;
    std::uint64_t steps = 0;
};

/// The problem must pass check().
BranchResult branchAndBound(const SelectionProblem& problem, const BranchParams& params,
                            const Limits& limits);

/// What a better term than one of this cost has to stay below: costs that are all multiples of one
/// integer leave no room between.
double cutoffBelow(const SelectionProblem& problem, double cost);

} // namespace marquetry::term_extract
