#include "tests/lower_memory/calibration/fit.h"

#include "engine/banking/cost_terms.h"
#include "engine/device/device_file.h"
#include "tests/calibration/ridge.h"

#include <algorithm>
#include <cmath>

namespace marquetry::hdl {

namespace {

/// Errors of tiny memories count as if they had this many.
constexpr double kLeast = 40;

Terms termsOf(const std::vector<banking::SchemeCostTerm>& terms, Amount amount) {
    Terms counted{};
    for (const banking::SchemeCostTerm& term : terms) {
        const auto found = std::ranges::find(banking::kCostTerms, term.name);
        const auto place = static_cast<std::size_t>(found - banking::kCostTerms.begin());
        if (place < counted.size())
            counted[place] = amountOf(term.resources, amount);
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
        row.made = amountOf(sample.made, amount);
        row.priced = amountOf(cost.total, amount);
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
    std::vector<test::FitRow<banking::kCostTerms.size()>> rows;
    for (const Row& sample : samples)
        rows.push_back(test::fitRow(sample.counted, sample.made, std::max(kLeast, sample.made)));
    Terms factors{};
    factors.fill(1);
    for (int round = 0; round < 5000; ++round)
        test::improve(rows, factors);
    test::roundFactors(factors);
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
