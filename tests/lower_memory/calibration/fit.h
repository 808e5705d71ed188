// Fits the cost model of banked memories to synthesised ones, and says how well it predicts them:
// first a factor for each counted term, then steps on what they leave (banking/cost.h).
#pragma once

#include "engine/banking/cost_calibration.h"
#include "engine/banking/cost_correction.h"
#include "tests/lower_memory/calibration/samples.h"

#include <array>
#include <functional>

namespace marquetry::hdl {

using Terms = banking::CountedAmounts;

using test::Amount;

/// The numbers of a sample, made once.
struct Row {
    std::int64_t seed = 0;
    double made = 0;
    double priced = 0; ///< by banking::costOf
    Terms counted{};   ///< as kCostTerms, before their factors
    banking::CostFeatures features{};
};
std::vector<Row> rowsOf(const std::vector<Sample>& samples, Amount amount);

/// Factors ≥ 0 with the least sum of squared relative errors and of squared distances from 1
/// (ridge), to two decimals.
Terms fitFactors(const std::vector<Row>& rows);

/// By the factors in use alone (banking/cost_calibration.h).
double counted(const Row& row, Amount amount);

struct Errors {
    double meanAbsolute = 0; ///< LUTs or registers
    double r2 = 0;
    double meanRelative = 0;
    double meanAbsoluteOverMean = 0;
    std::size_t within20 = 0; ///< samples
    std::size_t samples = 0;
};
Errors errorsOf(const std::vector<Row>& rows, const std::function<double(const Row&)>& predicted);

} // namespace marquetry::hdl
