// The result of the MILP oracle (milp.h): a value, a bound and the size of the programme.
#pragma once

#include "engine/milp/solve.h"

#include <cstddef>

namespace marquetry::extract {

struct MilpStats {
    std::size_t variables = 0;
    std::size_t rows = 0;
    milp::SolveStats solve;
};

struct MilpResult {
    milp::SolveStatus outcome = milp::SolveStatus::Limit; ///< Infeasible: no design
    double time = milp::kInfinity;                        ///< least Σ of the calls' times found
    double bound = -milp::kInfinity;                      ///< no design is faster
    double dsp = 0;
    MilpStats stats;
};

} // namespace marquetry::extract
