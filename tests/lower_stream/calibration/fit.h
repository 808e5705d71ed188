// Fits the factors of a kernel's terms to synthesised kernels, and says how well a model predicts.
#pragma once

#include "engine/cost/kernel_calibration.h"
#include "tests/lower_stream/calibration/samples.h"

#include <functional>

namespace marquetry::test {

/// Kernels built, with what Yosys made of them.
struct Measured {
    Sample sample;
    cost::KernelTerms terms;
    device::Resources estimated;
};
std::vector<Measured> measured(const std::string& path, bool heldOut);

using Factors = std::array<double, cost::kKernelTerms.size()>;
/// Factors ≥ 0 with the least sum of relative errors, which kernels that synthesis cuts down do not
/// decide as they would with squares, and of squared distances from 1 (ridge); to two decimals.
Factors fitFactors(const std::vector<Measured>& kernels, Amount amount);

/// Estimate over synthesis of kernels with at least kLeastLuts LUTs or registers.
struct Ratios {
    std::size_t kernels = 0;
    double least = 0, tenth = 0, median = 0, ninth = 0, most = 0; ///< 10 % and 90 %
};
Ratios ratiosOf(const std::vector<Measured>& kernels, Amount amount);

} // namespace marquetry::test
