// What Verilator and Yosys make of an export beside what was predicted, a line of a table for each
// command:
//
//   network_synthesis MARQUETRY FILE [OPTIONS OF export]
//
// Cells of the 7 series: DSP48E1, RAMB36E1 (a RAMB18E1 is a half), LUTs with those of LUT RAM and
// shift registers but no inverters, which are part of other LUTs; flip-flops; the longest path
// through cells without wires. Exit code 1 where the export does not verify or takes other cycles
// than predicted, a cell is a latch, Yosys warns of widths, or the blocks are not those predicted.
#include "engine/support/json.h"
#include "engine/support/process.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/text_files.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <regex>

namespace marquetry::bench {
namespace {

struct Cells {
    double dsp = 0, bram = 0, lut = 0, ff = 0, latches = 0;
};

double lutsOf(const std::string& cell) {
    if (cell.starts_with("RAM32M") || cell.starts_with("RAM64M"))
        return 4;
    if (cell.starts_with("RAM128X1D"))
        return 4;
    if (cell.starts_with("RAM64X1D") || cell.starts_with("RAM32X1D"))
        return 2;
    const bool one = cell.starts_with("LUT") || cell.starts_with("SRL");
    return one ? 1 : 0;
}

Cells cellsOf(const std::string& stat) {
    Cells cells;
    static const std::regex line(R"(\n\s+(\$?[A-Za-z_]\w*)\s+(\d+)(?=\n))");
    for (std::sregex_iterator it(stat.begin(), stat.end(), line), end; it != end; ++it) {
        const std::string cell = (*it)[1];
        const double number = std::stod((*it)[2]);
        cells.dsp += cell == "DSP48E1" ? number : 0;
        cells.bram += cell == "RAMB36E1" ? number : cell == "RAMB18E1" ? number / 2 : 0;
        cells.lut += number * lutsOf(cell);
        cells.ff += cell.starts_with("FD") ? number : 0;
        cells.latches += cell.starts_with("LD") || cell.starts_with("$_DLATCH") ? number : 0;
    }
    return cells;
}

struct Synthesis {
    Cells cells;
    double pathPs = 0;
    bool warnsOfWidths = false;
};

std::optional<Synthesis> synthesise(const std::string& folder, const std::string& top) {
    const auto run = runProcess(
        {{"yosys", "-p",
          "read_verilog *.v; synth_xilinx -family xc7 -flatten -noiopad -noclkbuf -top " + top +
              "; check -assert; tee -o cells.txt stat; read_verilog -lib -specify "
              "+/xilinx/cells_sim.v; tee -o path.txt sta"},
         folder});
    const auto stat = test::readText(folder + "/cells.txt");
    const auto path = test::readText(folder + "/path.txt");
    if (!run || run->exitCode != 0 || !stat || !path)
        return std::nullopt;
    Synthesis made;
    made.cells = cellsOf(*stat);
    std::smatch match;
    if (std::regex_search(*path, match, std::regex(R"(Latest arrival time in '\w+' is (\d+))")))
        made.pathPs = std::stod(match[1]);
    // Ports of our modules; Yosys resizes those of its blocks, whose names are upper-case, itself.
    static const std::regex widths(
        R"(Warning:[^\n]*(width|truncat|Resizing cell port \S+\.[a-z]\w* from))");
    made.warnsOfWidths = std::regex_search(run->output, widths);
    return made;
}

/// Of a run, simulated; nothing where a word is wrong.
std::optional<long long> simulatedCycles(const std::string& marquetry, const std::string& folder) {
    const auto verified = runProcess({{marquetry, "verify", folder, "--json"}});
    if (!verified || verified->exitCode != 0)
        return std::nullopt;
    // Warnings come first.
    const auto report = nlohmann::json::parse(
        verified->output.substr(std::min(verified->output.find('{'), verified->output.size())),
        nullptr, false);
    return report.is_object() ? std::optional(report["cycles"].get<long long>()) : std::nullopt;
}

void printLine(const std::string& name, const nlohmann::json& design, long long cycles,
               const Synthesis& made) {
    const auto& predicted = design["resources"];
    const Cells& cells = made.cells;
    const auto less = [&](const char* key, double real) {
        return 100 * (predicted[key].get<double>() / real - 1);
    };
    std::printf(
        "| %s | %lld / %lld | %.0f / %.0f | %.1f / %.1f | %.0f / %.0f (%+.0f %%) | %.0f / %.0f "
        "(%+.0f %%) | %.2f ns |%s%s\n",
        name.c_str(), design["cycles"].get<long long>(), cycles, predicted["dsp"].get<double>(),
        cells.dsp, predicted["bram"].get<double>(), cells.bram, predicted["lut"].get<double>(),
        cells.lut, less("lut", cells.lut), predicted["ff"].get<double>(), cells.ff,
        less("ff", cells.ff), made.pathPs / 1000, cells.latches > 0 ? " LATCHES" : "",
        made.warnsOfWidths ? " WIDTHS" : "");
    std::fflush(stdout);
}

int run(const std::vector<std::string>& arguments) {
    const test::TemporaryFolder place;
    std::vector<std::string> command = {std::filesystem::absolute(arguments[0]), "export",
                                        std::filesystem::absolute(arguments[1])};
    command.insert(command.end(), arguments.begin() + 2, arguments.end());
    command.insert(command.end(), {"--json", "--out", "made"});
    const auto exported = runProcess({command, place.string()});
    if (!exported || exported->exitCode != 0) {
        std::fprintf(stderr, "%s\n", exported ? exported->output.c_str() : "no export");
        return 1;
    }
    const auto report = nlohmann::json::parse(*test::readText(place / "made/report.json"));
    const auto design =
        nlohmann::json::parse(*test::readText(place / "made/DESIGN.json"))["design"];
    const auto cycles = simulatedCycles(arguments[0], place / "made");
    if (!cycles) {
        std::fprintf(stderr, "the export does not verify\n");
        return 1;
    }
    const auto made = synthesise(place / "made/rtl", report["program"].get<std::string>() + "_top");
    if (!made) {
        std::fprintf(stderr, "yosys failed\n");
        return 1;
    }
    const std::string name = std::filesystem::path(arguments[1]).stem();
    printLine(name, design, *cycles, *made);
    const bool blocks = made->cells.dsp == design["resources"]["dsp"].get<double>() &&
                        made->cells.bram == design["resources"]["bram"].get<double>();
    const bool exact = *cycles == design["cycles"].get<long long>();
    return exact && blocks && made->cells.latches == 0 && !made->warnsOfWidths ? 0 : 1;
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
