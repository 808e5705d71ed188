#include "tests/lower_memory/calibration/fit.h"

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

namespace {

Terms termsOf(const std::vector<banking::CostTerm>& terms, Amount amount) {
    Terms counted{};
    for (const banking::CostTerm& term : terms) {
        const auto found = std::ranges::find(banking::kCostTerms, term.name);
        const auto place = static_cast<std::size_t>(found - banking::kCostTerms.begin());
        if (place < counted.size())
            counted[place] = amount == Amount::Lut ? term.resources.lut : term.resources.ff;
    }
    return counted;
}

double factorOf(std::size_t term, Amount amount) {
    const banking::CostFactor& factor = banking::kCostFactors[term];
    return amount == Amount::Lut ? factor.lut : factor.ff;
}

} // namespace

std::vector<Row> rowsOf(const std::vector<Sample>& samples, Amount amount) {
    static const device::Device kDevice = *device::findDevice("xc7k160t");
    std::vector<Row> rows;
    for (const Sample& sample : samples) {
        const BankedMemory memory = memoryOf(sample);
        const auto cost = banking::costOf(memory.pattern, memory.scheme, memory.plan, kDevice);
        Row row;
        row.seed = sample.seed;
        row.made = amount == Amount::Lut ? sample.made.lut : sample.made.ff;
        row.priced = amount == Amount::Lut ? cost.total.lut : cost.total.ff;
        row.counted =
            termsOf(countTerms(memory.pattern, memory.scheme, memory.plan, kDevice), amount);
        row.features =
            costFeatures(memory.pattern, memory.scheme, memory.plan, termsOf(cost.terms, amount));
        rows.push_back(row);
    }
    return rows;
}

double counted(const Row& row, Amount amount) {
    double sum = 0;
    for (std::size_t t = 0; t < row.counted.size(); ++t)
        sum += std::round(row.counted[t] * factorOf(t, amount));
    return sum;
}

Terms fitFactors(const std::vector<Row>& samples) {
    std::vector<Terms> rows;
    std::vector<double> rest; // of the prediction by the factors so far
    for (const Row& sample : samples) {
        rows.push_back(sample.counted);
        const double weight = 1 / std::max(kLeast, sample.made);
        double sum = -sample.made * weight;
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

Errors errorsOf(const std::vector<Row>& rows, const std::function<double(const Row&)>& predicted) {
    Errors errors;
    double mean = 0;
    for (const Row& row : rows)
        mean += row.made / static_cast<double>(rows.size());
    double squares = 0;
    double spread = 0;
    for (const Row& row : rows) {
        const double error = std::abs(predicted(row) - row.made);
        ++errors.samples;
        errors.meanAbsolute += error;
        errors.meanRelative += row.made > 0 ? error / row.made : 0;
        errors.within20 += error <= 0.2 * row.made ? 1 : 0;
        squares += error * error;
        spread += (row.made - mean) * (row.made - mean);
    }
    const auto n = static_cast<double>(errors.samples);
    errors.meanAbsolute /= n;
    errors.meanRelative /= n;
    errors.meanAbsoluteOverMean = errors.meanAbsolute / mean;
    errors.r2 = 1 - squares / spread;
    return errors;
}

} // namespace marquetry::hdl
