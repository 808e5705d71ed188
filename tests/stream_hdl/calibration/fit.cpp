#include "tests/stream_hdl/calibration/fit.h"

#include "engine/device/device_file.h"

#include <algorithm>
#include <cmath>

namespace marquetry::testing {

namespace {

/// Errors of tiny kernels count as if they had this many; ratios of them say nothing.
constexpr double kLeast = 20;
/// Holds factors at 1, the parts as counted, unless the kernels say otherwise.
constexpr double kRidge = 0.3;

} // namespace

std::vector<Measured> measured(const std::string& path, bool heldOut) {
    const device::Device device = *device::findDevice("xc7k160t");
    std::vector<Measured> all;
    for (Sample& sample : readSamples(path)) {
        if (sample.heldOut() != heldOut)
            continue;
        const auto built = build(sample);
        if (built)
            all.push_back({std::move(sample), kernelTerms(built->timed, built->kernel, device),
                           kernelArea(built->timed, built->kernel, device)});
    }
    return all;
}

double amountOf(const device::Resources& area, Amount amount) {
    return amount == Amount::Lut ? area.lut : area.ff;
}

Factors fitFactors(const std::vector<Measured>& kernels, Amount amount) {
    std::vector<Factors> rows;
    std::vector<double> rest; // of the prediction by the factors so far
    for (const Measured& kernel : kernels) {
        const double truth = amountOf(kernel.sample.made, amount);
        const double weight = 1 / std::max(kLeast, truth);
        double sum = -truth * weight;
        Factors row{};
        for (std::size_t t = 0; t < row.size(); ++t) {
            row[t] = amountOf(kernel.terms[t], amount) * weight;
            sum += row[t];
        }
        rows.push_back(row);
        rest.push_back(sum);
    }
    Factors factors{};
    factors.fill(1);
    for (int round = 0; round < 5000; ++round) {
        for (std::size_t t = 0; t < factors.size(); ++t) {
            double square = 0;
            double slope = kRidge * (factors[t] - 1);
            for (std::size_t k = 0; k < rows.size(); ++k) {
                square += rows[k][t] * rows[k][t];
                slope += rows[k][t] * rest[k];
            }
            const double next = std::max(0.0, factors[t] - slope / (square + kRidge));
            for (std::size_t k = 0; k < rows.size(); ++k)
                rest[k] += (next - factors[t]) * rows[k][t];
            factors[t] = next;
        }
    }
    for (double& factor : factors)
        factor = std::round(factor * 100) / 100;
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

} // namespace marquetry::testing
