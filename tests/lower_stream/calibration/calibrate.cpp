// stream_calibration draw TABLE.csv [ROWS]: draws and synthesises kernels until the table has ROWS
// rows (160), continuing a table that is there; a second or two each.
// stream_calibration fit TABLE.csv: the factors of the terms, and the errors of the model.
// stream_calibration list TABLE.csv: every kernel's seed, its area by synthesis and by estimate.
#include "engine/rtl/printed.h"
#include "tests/lower_stream/calibration/fit.h"
#include "tests/lower_stream/kernel_synthesis.h"

#include <filesystem>
#include <fstream>
#include <iostream>

using namespace marquetry;
using namespace marquetry::test;

namespace {

/// Larger ones take minutes and teach nothing new.
constexpr std::int64_t kMostBits = 4000;
constexpr std::size_t kBatch = 10;

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
    while (have < rows) {
        std::vector<Sample> samples;
        std::vector<hdl::Module> modules;
        for (; samples.size() < kBatch && have + samples.size() < rows; ++seed) {
            Sample sample = drawSample(seed);
            const auto built = build(sample);
            if (!built || built->kernel.registerBits > kMostBits)
                continue;
            samples.push_back(std::move(sample));
            modules.push_back(hdl::printedAlone(built->kernel.module));
        }
        const auto made = synthesise(modules, folder);
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

void print(const char* what, const std::vector<Measured>& kernels, Amount amount) {
    const Ratios r = ratiosOf(kernels, amount);
    std::cout << "  " << what << ": " << r.kernels << " kernels, estimate over synthesis "
              << r.least << " to " << r.most << ", 10 % " << r.tenth << ", median " << r.median
              << ", 90 % " << r.ninth << "\n";
}

int fit(const std::string& path) {
    const auto training = measured(path, false);
    const auto heldOut = measured(path, true);
    for (const Amount amount : {Amount::Lut, Amount::Ff}) {
        const Factors factors = fitFactors(training, amount);
        std::cout << (amount == Amount::Lut ? "LUT" : "FF") << "\n";
        for (std::size_t t = 0; t < factors.size(); ++t)
            std::cout << "  " << factors[t] << " // " << cost::kKernelTerms[t] << "\n";
        print("fitted, factors as committed", training, amount);
        print("held out, factors as committed", heldOut, amount);
    }
    return 0;
}

int list(const std::string& path) {
    for (const bool heldOut : {false, true}) {
        for (const Measured& kernel : measured(path, heldOut)) {
            const device::Resources& made = kernel.sample.made;
            const device::Resources& area = kernel.estimated;
            std::cout << kernel.sample.seed << ": " << made.lut << " / " << made.ff << " / "
                      << made.bram << " / " << made.dsp << ", " << area.lut << " / " << area.ff
                      << " / " << area.bram << " / " << area.dsp << "\n";
        }
    }
    return 0;
}

} // namespace

int main(int argc, char** argv) {
    const std::string what = argc > 2 ? argv[1] : "";
    if (what == "draw")
        return draw(argv[2], argc > 3 ? std::stoul(argv[3]) : 160);
    if (what == "fit")
        return fit(argv[2]);
    if (what == "list")
        return list(argv[2]);
    std::cerr
        << "usage: stream_calibration draw TABLE.csv [ROWS] | fit TABLE.csv | list TABLE.csv\n";
    return 2;
}
