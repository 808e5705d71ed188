// Factors of the cost terms, fitted to synthesised memories: printed by
// `banked_calibration fit tests/data/banking/synthesis.csv` from the rows that are not held out.
#pragma once

#include <array>

namespace marquetry::banking {

struct CostFactor {
    double lut = 1;
    double ff = 1;
};

/// As kCostTerms (cost_terms.h).
inline constexpr std::array<CostFactor, 11> kCostFactors = {{
    {1.01, 0.98}, // banks
    {1, 1},       // last writer
    {1.03, 0.58}, // read data
    {1, 1},       // bank tables
    {0.96, 1},    // routing
    {0.63, 1},    // write data
    {0.84, 1},    // load port
    {1, 1},       // lane tables
    {0.64, 1.1},  // counted addresses
    {0.23, 1},    // decoded addresses
    {0.82, 0.94}, // loop counters
}};

} // namespace marquetry::banking
