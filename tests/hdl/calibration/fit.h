// Fits the factors of the analytic cost terms to synthesised memories, and says how well a model
// predicts them.
#pragma once

#include "engine/banking/cost_calibration.h"
#include "tests/hdl/calibration/samples.h"

#include <array>
#include <functional>

namespace marquetry::hdl {

using Terms = std::array<double, banking::kCostFactors.size()>;

enum class Amount { Lut, Ff };

/// What the terms of a sample count before calibration, as kCostTerms.
Terms countedTerms(const Sample& sample, Amount amount);

double made(const Sample& sample, Amount amount);

/// Factors ≥ 0 with the least sum of squared relative errors and of squared distances from 1
/// (ridge), to two decimals.
Terms fitFactors(const std::vector<Sample>& samples, Amount amount);

struct Errors {
    double meanAbsolute = 0; ///< LUTs or registers
    double r2 = 0;
    double meanRelative = 0;
    double meanAbsoluteOverMean = 0;
    std::size_t within20 = 0; ///< samples
    std::size_t samples = 0;
};
Errors errorsOf(const std::vector<Sample>& samples, Amount amount,
                const std::function<double(const Sample&)>& predicted);

} // namespace marquetry::hdl
