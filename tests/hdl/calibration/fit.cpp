#include "tests/hdl/calibration/fit.h"

#include "engine/banking/cost_terms.h"
#include "engine/device/device_file.h"

#include <algorithm>
#include <cmath>

namespace marquetry::hdl {

namespace {

/// Errors of tiny memories count as if they had this many.
constexpr double kLeast = 40;

/// Holds factors at 1, the circuit as counted, unless the samples say otherwise.
constexpr double kRidge = 0.3;

} // namespace

double made(const Sample& sample, Amount amount) {
    return amount == Amount::Lut ? sample.made.lut : sample.made.ff;
}

Terms countedTerms(const Sample& sample, Amount amount) {
    static const device::Device kDevice = *device::findDevice("xc7k160t");
    const BankedMemory memory = memoryOf(sample);
    Terms counted{};
    for (const banking::CostTerm& term :
         countTerms(memory.pattern, memory.scheme, memory.plan, kDevice)) {
        const auto place =
            std::ranges::find(banking::kCostTerms, term.name) - banking::kCostTerms.begin();
        counted[static_cast<std::size_t>(place)] =
            amount == Amount::Lut ? term.resources.lut : term.resources.ff;
    }
    return counted;
}

Terms fitFactors(const std::vector<Sample>& samples, Amount amount) {
    std::vector<Terms> rows;
    std::vector<double> rest; // of the prediction by the factors so far
    for (const Sample& sample : samples) {
        rows.push_back(countedTerms(sample, amount));
        const double weight = 1 / std::max(kLeast, made(sample, amount));
        double sum = -made(sample, amount) * weight;
        for (double& term : rows.back()) {
            term *= weight;
            sum += term;
        }
        rest.push_back(sum);
    }
    Terms factors{};
    factors.fill(1);
    for (int round = 0; round < 5000; ++round) {
        for (std::size_t t = 0; t < factors.size(); ++t) {
            double square = 0;
            double slope = 0;
            for (std::size_t k = 0; k < rows.size(); ++k) {
                square += rows[k][t] * rows[k][t];
                slope += rows[k][t] * rest[k];
            }
            slope += kRidge * (factors[t] - 1);
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

Errors errorsOf(const std::vector<Sample>& samples, Amount amount,
                const std::function<double(const Sample&)>& predicted) {
    Errors errors;
    double mean = 0;
    for (const Sample& sample : samples)
        mean += made(sample, amount) / static_cast<double>(samples.size());
    double squares = 0;
    double spread = 0;
    for (const Sample& sample : samples) {
        const double truth = made(sample, amount);
        const double error = std::abs(predicted(sample) - truth);
        ++errors.samples;
        errors.meanAbsolute += error;
        errors.meanRelative += truth > 0 ? error / truth : 0;
        errors.within20 += error <= 0.2 * truth ? 1 : 0;
        squares += error * error;
        spread += (truth - mean) * (truth - mean);
    }
    const auto n = static_cast<double>(errors.samples);
    errors.meanAbsolute /= n;
    errors.meanRelative /= n;
    errors.meanAbsoluteOverMean = errors.meanAbsolute / mean;
    errors.r2 = 1 - squares / spread;
    return errors;
}

} // namespace marquetry::hdl
