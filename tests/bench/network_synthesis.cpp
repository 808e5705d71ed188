// What Verilator and Yosys make of an export beside what was predicted, a line of a table for each
// command:
//
//   network_synthesis MARQUETRY FILE [OPTIONS OF export]
//
// Cells are counted as in tests/calibration/design_synthesis.h. Exit code 1 where the export does
// not verify or takes other cycles than predicted, a cell is a latch, Yosys warns of widths, or the
// blocks are not those predicted.
#include "tests/calibration/design_synthesis.h"
#include "tests/support/temporary_folder.h"

#include <cstdio>
#include <filesystem>

namespace marquetry::bench {
namespace {

void printLine(const std::string& name, const test::SynthesisedDesign& design) {
    const device::Resources& predicted = design.predicted.area;
    const device::Resources& made = design.made.area;
    const auto more = [](double of, double real) { return 100 * (of / real - 1); };
    std::printf("| %s | %.0f / %.0f | %.0f / %.0f | %.1f / %.1f | %.0f / %.0f (%+.0f %%) | %.0f / "
                "%.0f (%+.0f %%) | %.2f ns |\n",
                name.c_str(), design.predicted.cycles, design.made.cycles, predicted.dsp, made.dsp,
                predicted.bram, made.bram, predicted.lut, made.lut, more(predicted.lut, made.lut),
                predicted.ff, made.ff, more(predicted.ff, made.ff), design.pathPs / 1000);
    std::fflush(stdout);
}

int run(const std::vector<std::string>& arguments) {
    const std::filesystem::path file = std::filesystem::absolute(arguments[1]);
    const test::TemporaryFolder place;
    const auto design = test::synthesiseDesign(
        {std::filesystem::absolute(arguments[0]), file, {arguments.begin() + 2, arguments.end()}},
        place.string());
    if (!design) {
        std::fprintf(stderr, "%s", format(design.error()).c_str());
        return 1;
    }
    printLine(file.stem(), *design);
    const bool blocks = design->made.area.dsp == design->predicted.area.dsp &&
                        design->made.area.bram == design->predicted.area.bram;
    return blocks && design->made.cycles == design->predicted.cycles ? 0 : 1;
}

} // namespace
} // namespace marquetry::bench

int main(int argc, char** argv) {
    if (argc < 3) {
        std::fprintf(stderr, "usage: network_synthesis MARQUETRY FILE [OPTIONS OF export]\n");
        return 2;
    }
    return marquetry::bench::run({argv + 1, argv + argc});
}
