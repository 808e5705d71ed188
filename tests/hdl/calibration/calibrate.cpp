// banked_calibration draw TABLE.csv [ROWS]: draws and synthesises memories until the table has ROWS
// rows (260), continuing a table that is there; about a second each.
// banked_calibration fit TABLE.csv: the factors of the cost terms, and the errors of the model.
#include "engine/banking/cost_terms.h"
#include "tests/hdl/calibration/fit.h"

#include <filesystem>
#include <fstream>
#include <iostream>

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

int fit(const std::string& path) {
    std::vector<Sample> training;
    std::vector<Sample> heldOut;
    for (Sample& sample : readSamples(path))
        (sample.heldOut() ? heldOut : training).push_back(std::move(sample));
    for (const Amount amount : {Amount::Lut, Amount::Ff}) {
        const auto factors = fitFactors(training, amount);
        std::cout << (amount == Amount::Lut ? "LUT" : "FF") << "\n";
        for (std::size_t t = 0; t < factors.size(); ++t)
            std::cout << "  " << factors[t] << " // " << marquetry::banking::kCostTerms[t] << "\n";
        const auto predicted = [&](const Sample& sample) {
            const auto counted = countedTerms(sample, amount);
            double sum = 0;
            for (std::size_t t = 0; t < counted.size(); ++t)
                sum += factors[t] * counted[t];
            return sum;
        };
        print("fitted", errorsOf(training, amount, predicted));
        print("held out", errorsOf(heldOut, amount, predicted));
    }
    return 0;
}

} // namespace

int main(int argc, char** argv) {
    const std::string what = argc > 2 ? argv[1] : "";
    if (what == "draw")
        return draw(argv[2], argc > 3 ? std::stoul(argv[3]) : 260);
    if (what == "fit")
        return fit(argv[2]);
    std::cerr << "usage: banked_calibration draw TABLE.csv [ROWS] | fit TABLE.csv\n";
    return 2;
}
