#include "tests/lower_stream/calibration/fit.h"

#include "engine/device/device_file.h"
#include "tests/calibration/ridge.h"

#include <algorithm>
#include <cmath>

namespace marquetry::test {

namespace {

/// Errors of tiny kernels count as if they had this many; ratios of them say nothing.
constexpr double kLeast = 20;
constexpr double kSmallError = 0.02;

} // namespace

std::vector<Measured> measured(const std::string& path, bool heldOut) {
    const device::Device device = *device::findDevice("xc7k160t");
    std::vector<Measured> all;
    for (Sample& sample : readSamples(path)) {
        if (sample.heldOut() != heldOut)
            continue;
        const auto built = build(sample);
        if (built)
            all.push_back({std::move(sample),
                           kernelTerms(*built->timed, built->kernel.parts, device),
                           kernelArea(*built->timed, built->kernel.parts, device)});
    }
    return all;
}

Factors fitFactors(const std::vector<Measured>& kernels, Amount amount) {
    std::vector<FitRow<cost::kKernelTerms.size()>> rows;
    for (const Measured& kernel : kernels) {
        const double truth = amountOf(kernel.sample.made, amount);
        Factors terms{};
        for (std::size_t t = 0; t < terms.size(); ++t)
            terms[t] = amountOf(kernel.terms[t], amount);
        rows.push_back(fitRow(terms, truth, std::max(kLeast, truth)));
    }
    Factors factors{};
    factors.fill(1);
    // Squares weighed by what is left are absolute values.
    for (int reweighing = 0; reweighing < 60; ++reweighing) {
        for (auto& row : rows)
            row.weight = 1 / std::max(kSmallError, std::abs(row.rest));
        for (int round = 0; round < 100; ++round)
            improve(rows, factors);
    }
    roundFactors(factors);
    return factors;
}

Ratios ratiosOf(const std::vector<Measured>& kernels, Amount amount) {
    std::vector<double> all;
    for (const Measured& kernel : kernels) {
        const double truth = amountOf(kernel.sample.made, amount);
        if (truth >= kLeast)
            all.push_back(amountOf(kernel.estimated, amount) / truth);
    }
    std::ranges::sort(all);
    const auto at = [&](double part) {
        return all[static_cast<std::size_t>(part * static_cast<double>(all.size() - 1))];
    };
    return {all.size(), at(0), at(0.1), at(0.5), at(0.9), at(1)};
}

} // namespace marquetry::test
