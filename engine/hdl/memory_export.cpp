#include "engine/hdl/memory_export.h"

#include "engine/hdl/banked_testbench.h"
#include "engine/hdl/manifest.h"
#include "engine/hdl/simulation.h"
#include "engine/hdl/verilog_writer.h"
#include "engine/support/json_depth.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <sstream>

namespace marquetry::hdl {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

Json designOf(const std::string& folder) {
    const auto text = readText(folder + "/DESIGN.json");
    if (!text || nestsTooDeep(*text))
        return Json(Json::value_t::discarded);
    return Json::parse(*text, nullptr, false);
}

std::string memoryNameOf(const Json& design) {
    const bool named = design.is_object() && design.contains("memory") &&
                       design["memory"].is_object() && design["memory"].contains("module") &&
                       design["memory"]["module"].is_string();
    return named ? design["memory"]["module"].get<std::string>() : std::string();
}

std::vector<std::string> buildCommand(Simulator simulator, const std::string& top,
                                      const std::string& build) {
    if (simulator == Simulator::Icarus)
        return {"iverilog", "-g2001", "-s", top, "-o", build + "/simulation"};
    return {"verilator",    "--binary",
            "-O3",          "-Wno-fatal",
            "--top-module", top,
            "--Mdir",       build + "/objects",
            "-MAKEFLAGS",   "-s OPT_FAST=-O1 OPT_GLOBAL=-O0"};
}

/// The simulation's lines. Without its last one an assertion ended it: that is shown instead.
void readRun(const std::string& output, VerifyReport& report) {
    bool ended = false;
    std::string last;
    std::istringstream lines(output);
    for (std::string line; std::getline(lines, line);) {
        const Json json = testbenchLine(line);
        if (json.is_discarded()) {
            if (last.empty() && line.find(": ") != std::string::npos)
                last = line;
        } else if (json.contains("mismatch")) {
            VerifyMismatch mismatch = mismatchOf(json["mismatch"]);
            mismatch.output = json["mismatch"].value("lane", "");
            mismatch.layer = json["mismatch"].value("memory", "");
            report.mismatches.push_back(std::move(mismatch));
        } else if (json.contains("steps")) {
            ended = true;
            report.mismatchCount = json.value("mismatches", std::int64_t{0});
            report.cycles.push_back(json.value("cycles", std::int64_t{0}));
        }
    }
    if (!ended) {
        VerifyMismatch stopped;
        stopped.what = last.empty() ? "the simulation did not end as it should" : last;
        report.mismatches.push_back(std::move(stopped));
        ++report.mismatchCount;
    }
    report.pass = ended && report.mismatchCount == 0;
}

} // namespace

Result<ExportReport> exportMemory(const MemoryExportRequest& request, const ExportPlace& place,
                                  std::stop_token stop) {
    if (request.target != "verilog")
        return makeError("unknown-target", "there is no export target " + request.target,
                         "targets: verilog");
    const std::int64_t words = request.memory.pattern.words();
    if (request.memory.scheme.words > 4 * kMostSimulatedWords)
        return makeError("hdl-unsupported",
                         "the banks have " + std::to_string(request.memory.scheme.words) +
                             " words in all; at most " + std::to_string(4 * kMostSimulatedWords) +
                             " are simulated",
                         "choose smaller blocks or fewer copies");
    if (words > kMostSimulatedWords)
        return makeError("hdl-unsupported",
                         "the array has " + std::to_string(words) + " words; at most " +
                             std::to_string(kMostSimulatedWords) + " are simulated",
                         "split the array, or keep it in external memory");
    ExportFiles files;
    for (const Module& module : lowerMemory(request.memory).modules)
        files["rtl/" + module.name + ".v"] = writeVerilog(module);
    files["tb/tb.v"] = writeMemoryTestbench(request.memory.name + "_tb", {&request.memory});
    files["program/" + request.item + ".mq"] = request.programText;
    Json memory = Json::parse(request.memoryJson, nullptr, false);
    if (!memory.is_object())
        memory = Json::object();
    memory["module"] = request.memory.name;
    const Json design = {{"program", request.item},
                         {"program_file", "program/" + request.item + ".mq"},
                         {"memory", memory}};
    files["DESIGN.json"] = design.dump(1) + "\n";
    if (stop.stop_requested())
        return makeError("cancelled", "the export was stopped");
    auto written = placeExport({request.item, request.target}, files, place);
    if (!written)
        return written.error();
    return ExportReport{place.folder, files.size() + 1, 0, {}, std::move(written->warnings)};
}

bool holdsMemory(const std::string& folder) {
    return !memoryNameOf(designOf(folder)).empty();
}

Result<VerifyReport> verifyMemory(const std::string& folder, const VerifyParams& params,
                                  std::stop_token stop, const VerifyProgress& progress) {
    if (Status status = checkManifest(folder); !status)
        return status.error();
    const Simulation simulation(folder, params.simulator, std::move(stop));
    const std::string top = memoryNameOf(designOf(folder)) + "_tb";
    if (Status status = simulation.prepare({}); !status)
        return status.error();
    VerifyReport report;
    report.simulator = params.simulator;
    report.vectors = params.vectors;
    report.predictedCycles = kClocksPerVector * params.vectors;
    if (progress)
        progress(std::string("building with ") + nameOf(params.simulator));
    std::vector<std::string> command = buildCommand(params.simulator, top, simulation.folder());
    for (std::string& file : simulation.modules())
        command.push_back(std::move(file));
    command.push_back(simulation.source() + "/tb/tb.v");
    if (Status status = simulation.build(command); !status)
        return status.error();
    if (progress)
        progress("simulating " + std::to_string(report.predictedCycles) + " clocks of traffic");
    command = simulation.icarus()
                  ? std::vector<std::string>{"vvp", "-n", simulation.folder() + "/simulation"}
                  : std::vector<std::string>{simulation.folder() + "/objects/V" + top};
    command.push_back("+cycles=" + std::to_string(report.predictedCycles));
    command.push_back("+seed=" + std::to_string(params.seed % 2147483647));
    const auto ran = simulation.run(command);
    if (!ran)
        return ran.error();
    readRun(*ran, report);
    return report;
}

} // namespace marquetry::hdl
