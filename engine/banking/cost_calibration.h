// Factors of the cost terms, fitted to synthesised memories: printed by
// `banked_calibration fit tests/data/banking/synthesis.csv` from the rows that are not held out.
#pragma once

#include <array>

namespace marquetry::banking {

struct CostFactor {
    double lut = 1;
    double ff = 1;
};

/// Of prices of memories that nothing was fitted to: the mean of |price − made| / made.
inline constexpr double kHeldOutLutError = 0.120;
inline constexpr double kHeldOutFfError = 0.042;

/// As kCostTerms (cost_terms.h).
inline constexpr std::array<CostFactor, 11> kCostFactors = {{
    {1.02, 0.98}, // banks
    {1.15, 0.71}, // last writer
    {1.05, 0.57}, // read data
    {1.06, 1},    // bank tables
    {0.93, 1},    // routing
    {0.68, 1},    // write data
    {0.8, 1},     // load port
    {1, 1},       // lane tables
    {0.64, 1.1},  // counted addresses
    {0.33, 1},    // decoded addresses
    {0.72, 0.95}, // loop counters
}};

} // namespace marquetry::banking
