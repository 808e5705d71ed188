#include "engine/artefact/banked_testbench.h"
#include "engine/artefact/memory_export.h"
#include "engine/artefact/simulation.h"
#include "engine/device/device_file.h"
#include "engine/support/checked_math.h"
#include "engine/support/limits.h"
#include "engine/support/quote.h"
#include "engine/support/text_stream.h"

#include <algorithm>
#include <optional>

namespace marquetry::hdl {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kBench = "tb/tb.v";

/// A list of numbers, none of them negative; nothing when it is another thing.
std::optional<banking::Address> numbersOf(const Json& object, const char* name, std::size_t size) {
    if (!object.is_object() || !object.contains(name) || !object[name].is_array() ||
        object[name].size() != size)
        return std::nullopt;
    banking::Address numbers;
    for (const Json& number : object[name]) {
        if (!number.is_number_integer() || number.get<std::int64_t>() < 0)
            return std::nullopt;
        numbers.push_back(number.get<std::int64_t>());
    }
    return numbers;
}

std::optional<ir::FlatMap> mapOf(const Json& json, std::size_t rank) {
    constexpr std::int64_t kMost = std::int64_t{1} << 30; // N · B stays a number
    const auto alpha = numbersOf(json, "alpha", rank);
    const std::int64_t block = integer(json, "B");
    const std::int64_t banks = integer(json, "N");
    if (!alpha || block < 1 || banks < 1 || block > kMost || banks > kMost)
        return std::nullopt;
    return ir::FlatMap{*alpha, block, banks};
}

/// The scheme that the export was built from; nothing when it does not fit the array.
std::optional<banking::Scheme> schemeOf(const Json& memory, const ir::Shape& dims) {
    constexpr std::size_t kMostMaps = 64;
    if (!memory.contains("maps") || !memory["maps"].is_array() || memory["maps"].empty() ||
        memory["maps"].size() > kMostMaps)
        return std::nullopt;
    std::vector<ir::FlatMap> maps;
    std::int64_t banks = 1;
    for (const Json& entry : memory["maps"]) {
        auto map = mapOf(entry, dims.size());
        if (!map)
            return std::nullopt;
        banks = saturatingMul(banks, map->banks);
        maps.push_back(*std::move(map));
    }
    if (banks > kMaxSimulatedBankWords)
        return std::nullopt;
    banking::Scheme scheme = banking::derive(std::move(maps), dims);
    const auto box = numbersOf(memory, "box", dims.size());
    if (!box || *box != scheme.box || integer(memory, "depth") != scheme.depth)
        return std::nullopt;
    return scheme;
}

/// Our bench, which the folder's must be.
Result<files::FolderFiles> benchOf(const OpenedMemory& opened, const ir::MemoryProgram& program,
                                   std::stop_token stop) {
    auto pattern = banking::accessPattern(program, {}, std::move(stop));
    if (!pattern)
        return pattern.error();
    if (pattern->words() > kMaxSimulatedWords)
        return makeError("hdl-unsupported", "an array of " + std::to_string(pattern->words()) +
                                                " words is not simulated");
    auto scheme = schemeOf(opened.scheme, pattern->dims);
    if (!scheme)
        return damaged("the bank scheme in DESIGN.json is none of the array " +
                       inQuotes(program.array));
    // The traffic does not see on what device the banks are.
    BankedMemory memory = describeMemory(opened.module, *std::move(pattern), *std::move(scheme),
                                         device::shippedDevices().front());
    memory.name = opened.module;
    files::FolderFiles files = {{kBench, writeMemoryTestbench(memory.name + "_tb", {&memory})}};
    if (Status status = checkBench(opened.source, files); !status)
        return status.error();
    return files;
}

class MemoryRunner {
public:
    MemoryRunner(Simulation simulation, const std::string& module, const VerifyParams& params)
        : simulation_(std::move(simulation)),
          module_(module),
          top_(module + "_tb"),
          params_(params) {}

    Status build(bool trace) const {
        std::vector<std::string> command;
        if (simulation_.icarus())
            command = {"iverilog", "-g2001", "-s", top_, "-o", "simulation"};
        else
            command = {"verilator",    "--binary",
                       "-O3",          "-Wno-fatal",
                       "--top-module", top_,
                       "--Mdir",       objects(trace),
                       "-MAKEFLAGS",   "-s OPT_FAST=-O1 OPT_GLOBAL=-O0"};
        if (trace && !simulation_.icarus())
            command.push_back("--trace");
        command.insert(command.end(), simulation_.modules().begin(), simulation_.modules().end());
        command.push_back(kBench);
        return simulation_.build(command);
    }

    Result<std::string> run(std::int64_t clocks) const {
        return simulation_.run(command(clocks, false));
    }

    /// Repeats a failing run with a trace.
    void keepTrace(VerifyReport& report) const {
        if (!isTraceable(report.predictedCycles, report))
            return;
        if (const Status built = simulation_.icarus() ? ok() : build(true); !built)
            report.traceNote = "no trace is kept: " + built.error().front().message;
        else
            simulation_.keepTrace(command(report.predictedCycles, true), module_, report);
    }

private:
    static std::string objects(bool trace) { return trace ? "traced" : "objects"; }

    std::vector<std::string> command(std::int64_t clocks, bool trace) const {
        std::vector<std::string> command;
        if (simulation_.icarus())
            command = {"vvp", "-n", "simulation"};
        else
            command = {objects(trace) + "/V" + top_};
        command.push_back("+cycles=" + std::to_string(clocks));
        command.push_back("+seed=" + std::to_string(params_.seed % 2147483647));
        return command;
    }

    Simulation simulation_;
    std::string module_;
    std::string top_;
    const VerifyParams& params_;
};

/// The simulation's lines. Without its last one an assertion ended it: that is shown instead.
void readRun(const std::string& output, VerifyReport& report) {
    bool ended = false;
    std::string last;
    TextIn lines(output);
    for (std::string line; !ended && std::getline(lines, line);) {
        const Json json = testbenchLine(line);
        if (json.is_discarded()) {
            if (last.empty() && line.find(": ") != std::string::npos)
                last = line;
        } else if (json.contains("mismatch")) {
            VerifyMismatch mismatch = mismatchOf(json["mismatch"]);
            mismatch.output = text(json["mismatch"], "lane");
            mismatch.layer = text(json["mismatch"], "memory");
            report.mismatches.push_back(std::move(mismatch));
        } else if (json.contains("steps")) {
            ended = json.contains("mismatches") && json["mismatches"].is_number_integer();
            report.mismatchCount = integer(json, "mismatches");
            report.cycles.push_back(integer(json, "cycles"));
        }
    }
    if (!ended) {
        VerifyMismatch stopped;
        stopped.what =
            last.empty() ? "the simulation did not end as it should" : printable(tail(last));
        report.mismatches.push_back(std::move(stopped));
        ++report.mismatchCount;
    }
    report.pass = ended && report.mismatchCount == 0 && report.mismatches.empty();
}

} // namespace

Result<OpenedMemory> openMemory(ExportFolder source) {
    Json memory = designOf(source).value("memory", Json());
    const std::string module = text(memory, "module");
    if (!isIdentifier(module))
        return makeError("schedule-form",
                         "DESIGN.json of " + inQuotes(source.path) + " describes no memory",
                         "export the memory again");
    return OpenedMemory{std::move(source), module, std::move(memory)};
}

Result<VerifyReport> verifyMemory(const OpenedMemory& opened, const ir::MemoryProgram& program,
                                  const VerifyParams& params, std::stop_token stop,
                                  const VerifyProgress& progress) {
    const auto say = [&](const std::string& line) {
        if (progress)
            progress(line);
    };
    const auto files = benchOf(opened, program, stop);
    if (!files)
        return files.error();
    VerifyReport report;
    report.simulator = params.simulator;
    report.vectors = params.vectors;
    report.predictedCycles = kClocksPerVector * params.vectors;
    auto simulation = Simulation::make(opened.source, *files, params.simulator, std::move(stop));
    if (!simulation)
        return simulation.error();
    const MemoryRunner runner(*std::move(simulation), opened.module, params);
    say(std::string("building with ") + nameOf(params.simulator));
    if (Status status = runner.build(false); !status)
        return status.error();
    say("simulating " + std::to_string(report.predictedCycles) + " clocks of traffic");
    const auto ran = runner.run(report.predictedCycles);
    if (!ran)
        return ran.error();
    readRun(*ran, report);
    if (!report.pass)
        runner.keepTrace(report);
    return report;
}

} // namespace marquetry::hdl
