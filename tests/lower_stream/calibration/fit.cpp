#include "tests/lower_stream/calibration/fit.h"

#include "engine/device/device_file.h"

#include <algorithm>
#include <cmath>

namespace marquetry::test {

namespace {

/// Errors of tiny kernels count as if they had this many; ratios of them say nothing.
constexpr double kLeast = 20;
/// Holds factors at 1, the parts as counted, unless the kernels say otherwise.
constexpr double kRidge = 0.3;
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

double amountOf(const device::Resources& area, Amount amount) {
    return amount == Amount::Lut ? area.lut : area.ff;
}

namespace {

/// The terms of a kernel over its truth, and how far the prediction is from 1.
struct Row {
    Factors terms{};
    double rest = -1;
    double weight = 1;
};

/// One round of coordinate descent.
void improve(std::vector<Row>& rows, Factors& factors) {
    for (std::size_t t = 0; t < factors.size(); ++t) {
        double square = 0;
        double slope = kRidge * (factors[t] - 1);
        for (const Row& row : rows) {
            square += row.weight * row.terms[t] * row.terms[t];
            slope += row.weight * row.terms[t] * row.rest;
        }
        const double next = std::max(0.0, factors[t] - slope / (square + kRidge));
        for (Row& row : rows)
            row.rest += (next - factors[t]) * row.terms[t];
        factors[t] = next;
    }
}

} // namespace

Factors fitFactors(const std::vector<Measured>& kernels, Amount amount) {
    std::vector<Row> rows;
    for (const Measured& kernel : kernels) {
        const double truth = amountOf(kernel.sample.made, amount);
        Row row;
        row.rest = -truth / std::max(kLeast, truth);
        for (std::size_t t = 0; t < row.terms.size(); ++t) {
            row.terms[t] = amountOf(kernel.terms[t], amount) / std::max(kLeast, truth);
            row.rest += row.terms[t];
        }
        rows.push_back(row);
    }
    Factors factors{};
    factors.fill(1);
    // Squares weighed by what is left are absolute values.
    for (int reweighing = 0; reweighing < 60; ++reweighing) {
        for (Row& row : rows)
            row.weight = 1 / std::max(kSmallError, std::abs(row.rest));
        for (int round = 0; round < 100; ++round)
            improve(rows, factors);
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

} // namespace marquetry::test
