// Solves a mixed-integer linear programme with COIN-OR CBC (branch and cut, one thread).
//
// In:  a model that passes check(); a MIP start is one value per variable.
// Out: the best assignment known and a bound no assignment can beat. Integers come back exact
//      (rounded), and a result with values always passes verify(): an assignment of CBC that does
//      not is dropped, and one that rounding made worse than the start gives way to the start.
// Errors: milp-bad-model, milp-bad-start (a start that does not pass verify).
// Limits: the time limit is wall-clock seconds; the stop_token is polled by CBC's event handlers
//      after every node and heuristic and every simplex iteration, so both are honoured well
//      within a second on models whose factorisation is (≤ 10⁵ rows).
// Determinism: same model and parameters, same result, unless time or the token ended the work.
// Silent: nothing is written to standard output or error.
// Thread rule: may be called from any thread; calls take turns, for CBC keeps globals.
#pragma once

#include "engine/milp/model.h"
#include "engine/support/result.h"

#include <stop_token>

namespace marquetry::milp {

enum class SolveStatus {
    Optimal,    ///< values are the best there are, up to `absoluteGap`
    Feasible,   ///< values are allowed; a limit or the token ended the search
    Infeasible, ///< no assignment exists
    Unbounded,  ///< the relaxation has no least value
    Limit,      ///< a limit or the token ended the search before any assignment was found
};
const char* toString(SolveStatus outcome);

struct SolveParams {
    double seconds = kInfinity; ///< wall clock
    int maxNodes = std::numeric_limits<int>::max();
    double absoluteGap = 1e-9;
    double cutoff = kInfinity; ///< only assignments below it count; else Infeasible
    std::vector<double> start; ///< empty: none
};

struct SolveStats {
    int nodes = 0;
    int simplexIterations = 0;
    double seconds = 0; ///< wall clock
};

struct SolveResult {
    SolveStatus outcome = SolveStatus::Limit;
    double objective = kInfinity; ///< of `values`; infinite when there are none
    double bound = -kInfinity;    ///< no assignment is below
    std::vector<double> values;   ///< by variable; empty when none is known
    SolveStats stats;
};

/// Finite costs and coefficients, bounds in order, variables that exist.
Status check(const Model& model);
/// True when the bounds, kinds and rows hold; rows up to `tolerance` times their size.
bool verify(const Model& model, std::span<const double> values, double tolerance = 1e-6);
double objectiveOf(const Model& model, std::span<const double> values);

Result<SolveResult> solve(const Model& model, const SolveParams& params, std::stop_token stop);

} // namespace marquetry::milp
