// banked_calibration draw TABLE.csv [ROWS]: draws and synthesises memories until the table has ROWS
// rows (260), continuing a table that is there; about a second each.
// banked_calibration fit TABLE.csv: the factors of the cost terms, and the errors of the model.
// banked_calibration steps TABLE.csv: engine/banking/cost_steps.h, on the factors in use.
#include "tests/lower_memory/calibration/boosted.h"

#include <iomanip>
#include <iostream>
#include <map>

using namespace marquetry::hdl;
using marquetry::test::Drawn;

namespace {

/// Larger ones take minutes and teach nothing new.
bool small(const BankedMemory& memory) {
    std::int64_t routed = 0;
    for (const auto& lane : memory.lanes)
        routed += memory.pattern.bits * lane.hardware.seen;
    return routed <= 320;
}

std::optional<Drawn> drawn(std::int64_t seed) {
    const auto sample = drawSample(seed);
    if (!sample)
        return std::nullopt;
    const BankedMemory memory = memoryOf(*sample);
    if (!small(memory))
        return std::nullopt;
    return Drawn{rowOf(*sample), circuitOf(memory)};
}

void print(const char* what, const Errors& errors) {
    std::cout << "  " << what << ": " << errors.samples << " memories, MAE " << errors.meanAbsolute
              << " (" << 100 * errors.meanAbsoluteOverMean << " % of the mean), mean error "
              << 100 * errors.meanRelative << " %, R2 " << errors.r2 << ", " << errors.within20
              << " within 20 %\n";
}

std::vector<Row> tableRows(const std::string& path, bool heldOut, Amount amount) {
    std::vector<Sample> chosen;
    for (Sample& sample : readSamples(path))
        if (sample.heldOut() == heldOut)
            chosen.push_back(std::move(sample));
    return rowsOf(chosen, amount);
}

/// What steps learnt from four fifths of the rows make of the others.
std::map<std::int64_t, double> crossValidated(const std::vector<Row>& rows, Amount amount) {
    constexpr std::size_t kParts = 5;
    std::map<std::int64_t, double> predicted;
    for (std::size_t part = 0; part < kParts; ++part) {
        std::vector<Row> others;
        for (std::size_t k = 0; k < rows.size(); ++k)
            if (k % kParts != part)
                others.push_back(rows[k]);
        const BoostedSteps steps = boost(others, amount);
        for (std::size_t k = part; k < rows.size(); k += kParts)
            predicted[rows[k].seed] = steps.predicted(rows[k], amount);
    }
    return predicted;
}

void fit(const std::string& path) {
    for (const Amount amount : {Amount::Lut, Amount::Ff}) {
        const std::vector<Row> training = tableRows(path, false, amount);
        const std::vector<Row> heldOut = tableRows(path, true, amount);
        const Terms factors = fitFactors(training);
        std::cout << (amount == Amount::Lut ? "LUT" : "FF") << "\n";
        for (std::size_t t = 0; t < factors.size(); ++t)
            std::cout << "  " << factors[t] << " // " << marquetry::banking::kCostTerms[t] << "\n";
        const auto byTerms = [&](const Row& row) { return counted(row, amount); };
        const BoostedSteps steps = boost(training, amount);
        const auto bySteps = [&](const Row& row) { return steps.predicted(row, amount); };
        const auto unseen = crossValidated(training, amount);
        print("terms, fitted", errorsOf(training, byTerms));
        print("terms, held out", errorsOf(heldOut, byTerms));
        print("terms and steps, fitted", errorsOf(training, bySteps));
        print("terms and steps, cross-validated",
              errorsOf(training, [&](const Row& row) { return unseen.at(row.seed); }));
        print("terms and steps, held out", errorsOf(heldOut, bySteps));
    }
}

std::string nameOf(std::size_t feature) {
    using namespace marquetry::banking;
    return feature < kCostTerms.size() ? std::string("share of ") + kCostTerms[feature]
                                       : std::string(kMemoryFeatures[feature - kCostTerms.size()]);
}

void steps(const std::string& path) {
    std::cout << R"(// Steps fitted to synthesised memories (cost_correction.h): printed by
// `banked_calibration steps tests/data/banking/synthesis.csv` from the rows that are not held out.
#pragma once

#include "engine/banking/cost_correction.h"

namespace marquetry::banking {

)";
    const BoostedSteps fitted = boost(tableRows(path, false, Amount::Lut), Amount::Lut);
    std::cout << "inline constexpr double kLutBase = " << fitted.base << ";\n"
              << "inline constexpr std::array<CostStep, " << fitted.steps.size()
              << "> kLutSteps = {{\n";
    for (const marquetry::banking::CostStep& step : fitted.steps)
        std::cout << "    {" << step.feature << ", " << std::setprecision(17) << step.threshold
                  << ", " << std::setprecision(6) << step.rise << "}, // " << nameOf(step.feature)
                  << "\n";
    std::cout << "}};\n";
    std::cout << "\n} // namespace marquetry::banking\n";
}

} // namespace

int main(int argc, char** argv) {
    return marquetry::test::runCalibration({"banked_calibration",
                                            {"ram", "maps", "copies"},
                                            "item",
                                            260,
                                            drawn,
                                            countCell,
                                            {{"fit", fit}, {"steps", steps}}},
                                           argc, argv);
}
