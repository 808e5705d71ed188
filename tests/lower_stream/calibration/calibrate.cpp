// stream_calibration draw TABLE.csv [ROWS]: draws and synthesises kernels until the table has ROWS
// rows (240), continuing a table that is there; a second or two each.
// stream_calibration fit TABLE.csv: the factors of the terms, and the errors of the model.
// stream_calibration list TABLE.csv: every kernel's seed, its area by synthesis and by estimate.
#include "engine/rtl/printed.h"
#include "tests/lower_stream/calibration/fit.h"
#include "tests/lower_stream/kernel_synthesis.h"

#include <iostream>

using namespace marquetry;
using namespace marquetry::test;

namespace {

/// Larger ones take minutes and teach nothing new.
constexpr std::int64_t kMostBits = 4000;

std::optional<Drawn> drawn(std::int64_t seed) {
    const Sample sample = drawSample(seed);
    const auto built = build(sample);
    if (!built || built->kernel.registerBits > kMostBits)
        return std::nullopt;
    const hdl::Netlist netlist = hdl::printed(finished(built->kernel.module));
    return Drawn{rowOf(sample), {netlist.top, netlist.modules}};
}

void print(const char* what, const std::vector<Measured>& kernels, Amount amount) {
    const Ratios r = ratiosOf(kernels, amount);
    std::cout << "  " << what << ": " << r.kernels << " kernels, estimate over synthesis "
              << r.least << " to " << r.most << ", 10 % " << r.tenth << ", median " << r.median
              << ", 90 % " << r.ninth << "\n";
}

void fit(const std::string& path) {
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
}

void list(const std::string& path) {
    for (const bool heldOut : {false, true}) {
        for (const Measured& kernel : measured(path, heldOut)) {
            const device::Resources& made = kernel.sample.made;
            const device::Resources& area = kernel.estimated;
            std::cout << kernel.sample.seed << ": " << made.lut << " / " << made.ff << " / "
                      << made.bram << " / " << made.dsp << ", " << area.lut << " / " << area.ff
                      << " / " << area.bram << " / " << area.dsp << "\n";
        }
    }
}

} // namespace

int main(int argc, char** argv) {
    return runCalibration({"stream_calibration",
                           {"clocks"},
                           "stream",
                           240,
                           drawn,
                           countCell,
                           {{"fit", fit}, {"list", list}}},
                          argc, argv);
}
