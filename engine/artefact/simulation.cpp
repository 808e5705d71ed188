#include "engine/artefact/simulation.h"

#include "engine/artefact/bench_output.h"
#include "engine/artefact/rtl_check.h"
#include "engine/artefact/verilator_runtime.h"
#include "engine/rtl/netlist.h"
#include "engine/support/cache.h"
#include "engine/support/process.h"
#include "engine/support/sha256.h"

#include <algorithm>
#include <csignal>

namespace marquetry::hdl {

namespace {

constexpr const char* kTrace = "failure.vcd";
constexpr const char* kWaveform = "waveform.fst";
constexpr std::size_t kMostTraceBytes = std::size_t{256} << 20;
constexpr std::size_t kMostTraces = 20;
/// Twenty lines per run are what the benches print.
constexpr std::size_t kMostOutput = std::size_t{16} << 20;
constexpr std::uint64_t kMostMemory = std::uint64_t{16} << 30;
constexpr std::uint64_t kMostFileBytes = std::uint64_t{4} << 30;

/// Of words that are ours or were checked; make and the shell of iverilog see nothing to act on.
bool isPlainArgument(const std::string& argument) {
    const auto plain = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               std::string_view("_-+=./, ").find(c) != std::string_view::npos;
    };
    return !argument.empty() && argument[0] != '/' && std::ranges::all_of(argument, plain);
}

ProcessParams paramsOf(const std::vector<std::string>& command, const std::string& folder) {
    ENGINE_ASSERT(std::ranges::all_of(command, isPlainArgument), "no foreign names in commands");
    ProcessParams params{command, folder};
    params.environment["TMPDIR"] = folder;
    // Of a make that we may run under, and of users: none of it is meant for this one.
    for (const char* const name : {"MAKEFLAGS", "MAKEFILES", "MFLAGS", "GNUMAKEFLAGS"})
        params.environment[name] = std::nullopt;
    params.outputBytes = kMostOutput;
    params.memoryBytes = kMostMemory;
    params.fileBytes = kMostFileBytes;
    return params;
}

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words)
        text += word + "\n";
    return text;
}

} // namespace

Simulation::Simulation(files::PrivateFolder folder, Simulator simulator, SimulatorInput input,
                       std::stop_token stop)
    : folder_(std::move(folder)),
      simulator_(simulator),
      input_(std::move(input)),
      stop_(std::move(stop)) {}

Result<Simulation> Simulation::make(const ExportFolder& source, const files::FolderFiles& files,
                                    Simulator simulator, SimulatorInput input,
                                    std::stop_token stop) {
    if (Status status = checkRtl(source.files, files); !status)
        return status.error();
    auto folder = files::PrivateFolder::make();
    if (!folder)
        return folder.error();
    Simulation made(*std::move(folder), simulator, std::move(input), std::move(stop));
    made.fingerprint_ = source.fingerprint;
    for (const auto& [name, bytes] : source.files) {
        if (name.starts_with("memory/"))
            if (Status status = made.folder_.write(name, bytes); !status)
                return status.error();
        if (!name.starts_with("rtl/"))
            continue;
        const bool module = name.ends_with(".v");
        if (module)
            made.input_.modules.push_back(name);
        // Memory files are looked for where the simulation runs.
        const std::string place = module ? name : name.substr(name.find('/') + 1);
        if (Status status = made.folder_.write(place, bytes); !status)
            return status.error();
    }
    for (const auto& [name, bytes] : files)
        if (Status status = made.folder_.write(name, bytes); !status)
            return status.error();
    return made;
}

/// Of what compiles a simulation; "" when one of them does not say.
std::string Simulation::versions() const {
    std::string text;
    for (const char* const tool : {"verilator", "g++"}) {
        const auto said = runProcess(paramsOf({tool, "--version"}, folder_.path()), stop_);
        if (!said || said->exitCode != 0)
            return "";
        text += said->output;
    }
    return text;
}

Status Simulation::build(Waveform waveform) const {
    VerilatorRuntime runtime(folder_, input_, waveform);
    for (const SimulatorCommand& command : buildCommands(simulator_, input_, waveform)) {
        if (command.front() == kMake)
            if (Status status = runtime.place(versions()); !status)
                return status;
        const auto result = runProcess(paramsOf(command, folder_.path()), stop_);
        if (!result)
            return result.error();
        if (result->exitCode != 0)
            return makeError("simulator-build",
                             command.front() + " failed with status " +
                                 std::to_string(result->exitCode) + ":\n" + tail(result->output),
                             waveform == Waveform::Fst
                                 ? "an FST also needs the headers of zlib (zlib1g-dev)"
                                 : "");
    }
    runtime.keep();
    return ok();
}

Result<std::string> Simulation::run(const std::vector<std::string>& arguments,
                                    Waveform built) const {
    const SimulatorCommand command = runCommand(simulator_, input_, built, arguments);
    auto result = runProcess(paramsOf(command, folder_.path()), stop_);
    if (!result)
        return result.error();
    return std::move(result->output);
}

Result<Simulation::TracedRun> Simulation::runWithFst(std::vector<std::string> arguments) const {
    arguments.push_back(cat("+vcd=", kWaveform));
    ProcessParams params =
        paramsOf(runCommand(simulator_, input_, Waveform::Fst, arguments), folder_.path());
    params.fileBytes = files::kMostBytes;
    auto result = runProcess(params, stop_);
    if (!result)
        return result.error();
    auto bytes = written(kWaveform);
    // The system ends who writes more.
    if (bytes ? bytes->size() == files::kMostBytes : result->exitCode == 128 + SIGXFSZ)
        return makeError("waveform-too-large",
                         cat("the waveforms take more than ", files::kMostBytes, " bytes"),
                         "fewer --vectors take less");
    if (!bytes)
        return makeError(
            "no-waveform",
            cat(nameOf(simulator_), " has written no waveforms:\n", tail(result->output)),
            "the other --simulator may write them");
    return TracedRun{std::move(result->output), *std::move(bytes)};
}

Result<std::string> Simulation::written(const std::string& name) const {
    return files::read(folder_.path() + "/" + name);
}

Result<std::string> Simulation::traced(std::vector<std::string> arguments,
                                       const std::string& name) const {
    if (simulator_ != Simulator::Icarus)
        if (const Status built = build(Waveform::Vcd); !built)
            return built.error();
    const std::string hash = sha256(fingerprint_ + nameOf(simulator_) + joined(arguments));
    constexpr std::size_t kShownHash = 12;
    arguments.push_back(cat("+vcd=", kTrace));
    ProcessParams params =
        paramsOf(runCommand(simulator_, input_, Waveform::Vcd, arguments), folder_.path());
    params.fileBytes = kMostTraceBytes;
    if (const auto result = runProcess(params, stop_); !result)
        return result.error();
    const auto bytes = written(kTrace);
    if (!bytes)
        return makeError("no-trace", "the simulation wrote none");
    if (bytes->size() >= kMostTraceBytes)
        return makeError("no-trace",
                         "it is larger than " + std::to_string(kMostTraceBytes) + " bytes");
    return files::keepInCache("traces", name + "-" + hash.substr(0, kShownHash) + ".vcd", *bytes,
                              kMostTraces);
}

void Simulation::keepTrace(std::vector<std::string> arguments, std::int64_t clocks,
                           const std::string& name, VerifyReport& report) const {
    if (clocks > kLongestTrace)
        report.traceNote =
            "no trace is kept of more than " + std::to_string(kLongestTrace) + " clocks";
    else if (auto kept = traced(std::move(arguments), name))
        report.trace = *std::move(kept);
    else
        report.traceNote = "no trace is kept: " + kept.error().front().message;
}

} // namespace marquetry::hdl
