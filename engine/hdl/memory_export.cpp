#include "engine/hdl/memory_export.h"

#include "engine/hdl/banked_testbench.h"
#include "engine/hdl/manifest.h"
#include "engine/hdl/process.h"
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

std::vector<std::string> sources(const std::string& folder) {
    std::vector<std::string> files = {folder + "/tb/tb.v"};
    for (const auto& entry : fs::directory_iterator(folder + "/rtl"))
        files.push_back(entry.path().string());
    std::sort(files.begin(), files.end());
    return files;
}

std::vector<std::string> buildCommand(Simulator simulator, const std::string& top,
                                      const std::string& build) {
    if (simulator == Simulator::Icarus)
        return {"iverilog", "-g2001", "-s", top, "-o", build + "/simulation"};
    return {"verilator", "--binary", "-O3", "-Wno-fatal", "--top-module",
            top,         "--Mdir",   build, "-MAKEFLAGS", "-s OPT_FAST=-O1 OPT_GLOBAL=-O0"};
}

VerifyMismatch mismatchOf(const Json& json) {
    VerifyMismatch mismatch;
    mismatch.output = json.value("lane", "");
    mismatch.layer = json.value("memory", "");
    mismatch.cycle = json.value("cycle", std::int64_t{0});
    mismatch.expected = json.value("expected", std::int64_t{0});
    mismatch.got = json.value("got", std::int64_t{0});
    mismatch.what = "element";
    return mismatch;
}

/// The simulation's lines. Without its last one an assertion ended it: that is shown instead.
void readRun(const std::string& output, VerifyReport& report) {
    bool ended = false;
    std::string last;
    std::istringstream lines(output);
    for (std::string line; std::getline(lines, line);) {
        const Json json = Json::parse(line, nullptr, false);
        if (!json.is_object()) {
            if (last.empty() && line.find(": ") != std::string::npos)
                last = line;
        } else if (json.contains("mismatch")) {
            report.mismatches.push_back(mismatchOf(json["mismatch"]));
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

Result<ExportReport> exportMemory(const MemoryExportRequest& request, const std::string& folder,
                                  std::stop_token stop) {
    if (request.target != "verilog")
        return makeError("unknown-target", "there is no export target " + request.target,
                         "targets: verilog");
    const std::int64_t words = request.memory.pattern.words();
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
    if (Status status = placeExport({request.item, request.target}, files, folder); !status)
        return status.error();
    return ExportReport{folder, files.size() + 1, 0};
}

bool holdsMemory(const std::string& folder) {
    return !memoryNameOf(designOf(folder)).empty();
}

Result<VerifyReport> verifyMemory(const std::string& folder, const VerifyParams& params,
                                  std::stop_token stop, const VerifyProgress& progress) {
    if (Status status = checkManifest(folder); !status)
        return status.error();
    const std::string path = fs::absolute(folder).string();
    const std::string top = memoryNameOf(designOf(path)) + "_tb";
    const std::string build = path + "/build/" + nameOf(params.simulator);
    if (params.simulator == Simulator::Verilator && build.find(' ') != std::string::npos)
        return makeError("simulator-build",
                         "Verilator builds with make, which takes no spaces in " + build,
                         "move the export to a path without spaces, or use iverilog");
    std::error_code error;
    fs::create_directories(build, error);
    if (error)
        return makeError("output-unwritable", "cannot write " + build + ": " + error.message());
    VerifyReport report;
    report.simulator = params.simulator;
    report.vectors = params.vectors;
    report.predictedCycles = kClocksPerVector * params.vectors;
    if (progress)
        progress(std::string("building with ") + nameOf(params.simulator));
    std::vector<std::string> command = buildCommand(params.simulator, top, build);
    for (std::string& file : sources(path))
        command.push_back(std::move(file));
    const auto built = runProcess({command, path + "/rtl"}, stop);
    if (!built)
        return built.error();
    if (built->exitCode != 0)
        return makeError("simulator-build",
                         command.front() + " failed:\n" + built->output.substr(0, 2000));
    if (progress)
        progress("simulating " + std::to_string(report.predictedCycles) + " clocks of traffic");
    command = params.simulator == Simulator::Icarus
                  ? std::vector<std::string>{"vvp", "-n", build + "/simulation"}
                  : std::vector<std::string>{build + "/V" + top};
    command.push_back("+cycles=" + std::to_string(report.predictedCycles));
    command.push_back("+seed=" + std::to_string(params.seed % 2147483647));
    const auto ran = runProcess({command, path + "/rtl"}, stop);
    if (!ran)
        return ran.error();
    readRun(ran->output, report);
    return report;
}

} // namespace marquetry::hdl
