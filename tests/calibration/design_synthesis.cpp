#include "tests/calibration/design_synthesis.h"

#include "engine/support/json.h"
#include "engine/support/process.h"
#include "tests/support/text_files.h"

#include <algorithm>
#include <optional>
#include <regex>

namespace marquetry::test {

namespace {

double lutsOf(const std::string& cell) {
    if (cell.starts_with("RAM32M") || cell.starts_with("RAM64M") || cell.starts_with("RAM128X1D"))
        return 4;
    if (cell.starts_with("RAM64X1D") || cell.starts_with("RAM32X1D"))
        return 2;
    return cell.starts_with("LUT") || cell.starts_with("SRL") ? 1 : 0;
}

DesignFigures figuresIn(const nlohmann::json& design) {
    const auto& area = design["resources"];
    return {design["cycles"].get<double>(),
            {area["dsp"].get<double>(), area["lut"].get<double>(), area["ff"].get<double>(),
             area["bram"].get<double>()}};
}

/// What the program prints; nothing where it fails. Warnings come first.
std::optional<nlohmann::json> printedBy(const std::vector<std::string>& arguments) {
    const auto run = runProcess({arguments});
    if (!run || run->exitCode != 0)
        return std::nullopt;
    auto json = nlohmann::json::parse(
        run->output.substr(std::min(run->output.find('{'), run->output.size())), nullptr, false);
    return json.is_object() ? std::optional(std::move(json)) : std::nullopt;
}

std::optional<nlohmann::json> readJson(const std::string& path) {
    const auto text = readText(path);
    auto json = nlohmann::json::parse(text ? *text : "", nullptr, false);
    return json.is_object() ? std::optional(std::move(json)) : std::nullopt;
}

std::vector<std::string> argumentsOf(const DesignCommand& command, const std::string& verb,
                                     const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {command.program, verb, command.file};
    arguments.insert(arguments.end(), command.options.begin(), command.options.end());
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

double pathOf(const std::string& analysis) {
    std::smatch match;
    const std::regex latest(R"(Latest arrival time in '\w+' is (\d+))");
    return std::regex_search(analysis, match, latest) ? std::stod(match[1]) : 0;
}

bool hasLatches(const std::string& stat) {
    return std::regex_search(stat, std::regex(R"(\n\s+(LD[CP]E|\$_DLATCH\w*)\s)"));
}

bool warnsOfWidths(const std::string& log) {
    // Ports of our modules; Yosys resizes those of its blocks, whose names are upper-case, itself.
    static const std::regex widths(
        R"(Warning:[^\n]*(width|truncat|Resizing cell port \S+\.[a-z]\w* from))");
    return std::regex_search(log, widths);
}

Status synthesiseTop(const std::string& folder, const std::string& top, SynthesisedDesign& design) {
    const auto run = runProcess(
        {{"yosys", "-p",
          "read_verilog *.v; synth_xilinx -family xc7 -flatten -noiopad -noclkbuf -top " + top +
              "; check -assert; tee -o cells.txt stat; read_verilog -lib -specify "
              "+/xilinx/cells_sim.v; tee -o path.txt sta"},
         folder});
    const auto stat = readText(folder + "/cells.txt");
    const auto path = readText(folder + "/path.txt");
    if (!run || run->exitCode != 0 || !stat || !path)
        return makeError("yosys-failed", "Yosys does not synthesise " + top);
    if (hasLatches(*stat) || warnsOfWidths(run->output))
        return makeError("not-synthesised", "Yosys finds latches or other widths in " + top);
    design.made.area = countedCells(*stat);
    design.pathPs = pathOf(*path);
    return ok();
}

} // namespace

device::Resources countedCells(const std::string& stat) {
    device::Resources area;
    static const std::regex line(R"(\n\s+(\$?[A-Za-z_]\w*)\s+(\d+)(?=\n))");
    for (std::sregex_iterator it(stat.begin(), stat.end(), line), end; it != end; ++it) {
        const std::string cell = (*it)[1];
        const double number = std::stod((*it)[2]);
        area.dsp += cell == "DSP48E1" ? number : 0;
        area.bram += cell == "RAMB36E1" ? number : cell == "RAMB18E1" ? number / 2 : 0;
        area.lut += number * lutsOf(cell);
        area.ff += cell.starts_with("FD") ? number : 0;
    }
    return area;
}

Result<SynthesisedDesign> synthesiseDesign(const DesignCommand& command,
                                           const std::string& folder) {
    const std::string made = folder + "/made";
    if (!printedBy(argumentsOf(command, "export", {"--json", "--out", made})))
        return makeError("export-failed", "no export of " + command.file);
    const auto design = readJson(made + "/DESIGN.json");
    const auto report = readJson(made + "/report.json");
    if (!design || !report)
        return makeError("export-failed", "the export of " + command.file + " cannot be read");
    SynthesisedDesign result;
    result.predicted = figuresIn((*design)["design"]);
    const auto simulated = printedBy({command.program, "verify", made, "--json"});
    if (!simulated)
        return makeError("not-verified", "the export of " + command.file + " does not verify");
    result.made.cycles = (*simulated)["cycles"].get<double>();
    const std::string top = (*report)["program"].get<std::string>() + "_top";
    const Status synthesised = synthesiseTop(made + "/rtl", top, result);
    if (!synthesised)
        return synthesised.error();
    return result;
}

Result<DesignFigures> predictedFigures(const DesignCommand& command) {
    const auto answer = printedBy(argumentsOf(command, "explore", {"--json"}));
    if (!answer)
        return makeError("explore-failed", "no design of " + command.file);
    return figuresIn((*answer)["design"]);
}

} // namespace marquetry::test
