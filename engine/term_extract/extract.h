// General extraction: a term of least cost from any selection problem.
//
//   tree    least tree cost: every occurrence pays (AstSize and its kin)
//   greedy  a good DAG cost in a few passes: reductions, greedy, a short local search
//   exact   least DAG cost, anytime: reductions, then for every independent part greedy, branch
//           and bound, local search, and the mixed-integer programme, until one of them proves it
//
// The result always verifies. `lowerBound` bounds the DAG cost of every term, for every method.
// Errors: those of check(). Determinism: same problem and parameters, same selection, unless time
// or the stop_token ended the work (`outcome` says so). Thread rule: pure.
#pragma once

#include "engine/term_extract/selection.h"

#include <stop_token>

namespace marquetry::term_extract {

enum class TermMethod { Tree, Greedy, Exact };
enum class TermOutcome { Finished, TimeLimit, Cancelled };
const char* toString(TermMethod method);
const char* toString(TermOutcome outcome);

struct TermExtractParams {
    TermMethod method = TermMethod::Exact;
    double seconds = 30; ///< wall clock, for exact
    std::uint64_t seed = 1;
    std::uint64_t branchSteps = 20'000;   ///< of branch and bound, per part, before the MILP
    std::uint64_t localSteps = 4'000'000; ///< of local search, per part
    bool useBranchAndBound = true;
    bool useMilp = true;
};

struct ExtractStats {
    std::size_t reducedClasses = 0;
    std::size_t reducedNodes = 0;
    std::size_t parts = 0;
    std::uint64_t branchSteps = 0;
    int milpNodes = 0;
    double seconds = 0; ///< wall clock
};

struct TermExtractResult {
    Selection selection;
    double dagCost = 0;
    double treeCost = 0;
    double lowerBound = 0; ///< of DAG costs
    bool optimal = false;  ///< the DAG cost is proven least, up to kCostTolerance
    TermOutcome outcome = TermOutcome::Finished;
    ExtractStats stats;
};

Result<TermExtractResult> extract(const SelectionProblem& problem, const TermExtractParams& params,
                                  std::stop_token stop);

/// Recomputes what the result claims, the optimum excepted.
bool verify(const SelectionProblem& problem, const TermExtractResult& result);

} // namespace marquetry::term_extract
