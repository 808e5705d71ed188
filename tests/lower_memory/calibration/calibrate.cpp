// banked_calibration draw TABLE.csv [ROWS]: draws and synthesises memories until the table has ROWS
// rows (260), continuing a table that is there; about a second each.
// banked_calibration fit TABLE.csv: the factors of the cost terms, and the errors of the model.
// banked_calibration steps TABLE.csv: engine/banking/cost_steps.h, on the factors in use.
#include "tests/lower_memory/calibration/boosted.h"

#include <filesystem>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <map>

using namespace marquetry::hdl;

namespace {

/// Larger ones take minutes and teach nothing new.
bool small(const BankedMemory& memory) {
    std::int64_t routed = 0;
    for (const auto& lane : memory.lanes)
        routed += memory.pattern.bits * lane.hardware.seen;
    return routed <= 320;
}

int draw(const std::string& path, std::size_t rows) {
    std::size_t have = 0;
    std::int64_t seed = 1;
    if (std::filesystem::exists(path)) {
        const auto samples = readSamples(path);
        have = samples.size();
        seed = samples.empty() ? 1 : samples.back().seed + 1;
    } else {
        std::ofstream(path) << csvHead();
    }
    const std::string folder = path + ".work";
    constexpr std::size_t kBatch = 10;
    while (have < rows) {
        std::vector<Sample> samples;
        std::vector<BankedMemory> memories;
        for (; samples.size() < kBatch && have + samples.size() < rows; ++seed) {
            auto sample = drawSample(seed);
            if (!sample)
                continue;
            BankedMemory memory = memoryOf(*sample);
            if (!small(memory))
                continue;
            samples.push_back(*std::move(sample));
            memories.push_back(std::move(memory));
        }
        const auto made = synthesise(memories, folder);
        if (!made) {
            std::cerr << "yosys failed in " << folder << "\n";
            return 1;
        }
        for (std::size_t k = 0; k < samples.size(); ++k) {
            samples[k].made = (*made)[k];
            std::ofstream(path, std::ios::app) << csvRow(samples[k]);
        }
        have += samples.size();
        std::cerr << have << " of " << rows << "\n";
    }
    std::filesystem::remove_all(folder);
    return 0;
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

int fit(const std::string& path) {
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
    return 0;
}

std::string nameOf(std::size_t feature) {
    using namespace marquetry::banking;
    return feature < kCostTerms.size() ? std::string("share of ") + kCostTerms[feature]
                                       : std::string(kMemoryFeatures[feature - kCostTerms.size()]);
}

int steps(const std::string& path) {
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
    return 0;
}

} // namespace

int main(int argc, char** argv) {
    const std::string what = argc > 2 ? argv[1] : "";
    if (what == "draw")
        return draw(argv[2], argc > 3 ? std::stoul(argv[3]) : 260);
    if (what == "fit")
        return fit(argv[2]);
    if (what == "steps")
        return steps(argv[2]);
    std::cerr
        << "usage: banked_calibration draw TABLE.csv [ROWS] | fit TABLE.csv | steps TABLE.csv\n";
    return 2;
}
