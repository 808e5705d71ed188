#include "engine/artefact/simulator.h"

#include <algorithm>
#include <thread>

namespace marquetry::hdl {

namespace {

constexpr const char* kSimulation = "simulation";

/// Simulated clocks up to which a compiler that does less is done sooner, its own time included:
/// measured on LeNet-5, running_example and the first block of VGG.
constexpr std::int64_t kMostUnoptimised = 100'000;
constexpr std::int64_t kMostLittleOptimised = 5'000'000;
/// Each compiler takes up to a gigabyte.
constexpr unsigned kMostJobs = 8;

std::string optimisation(std::int64_t clocks) {
    if (clocks <= kMostUnoptimised)
        return "-O0";
    return clocks <= kMostLittleOptimised ? "-O1" : "-O2";
}

SimulatorCommand makeCommand(const SimulatorInput& input, Waveform waveform) {
    const unsigned jobs = std::clamp(std::thread::hardware_concurrency(), 1U, kMostJobs);
    return {kMake,
            "-s",
            "-C",
            objectsFolder(waveform),
            "-f",
            "V" + input.top + ".mk",
            "-j",
            std::to_string(jobs),
            "OPT_FAST=" + optimisation(input.clocks),
            "OPT_SLOW=-O0",
            kRuntimeOptimisation};
}

bool isCpp(const SimulatorInput& input) {
    return input.bench.ends_with(".cpp");
}

void append(SimulatorCommand& command, const std::vector<std::string>& words) {
    command.insert(command.end(), words.begin(), words.end());
}

SimulatorCommand icarusBuild(const SimulatorInput& input) {
    SimulatorCommand command = {"iverilog", "-g2001"};
    if (input.vectors)
        command.push_back("-P" + input.top + ".VECTORS=" + std::to_string(*input.vectors));
    append(command, {"-s", input.top, "-o", kSimulation, input.bench});
    append(command, input.modules);
    return command;
}

/// A bench in C++ drives the hardware clock by clock; one in Verilog waits and prints itself.
SimulatorCommand verilatorBuild(const SimulatorInput& input, Waveform waveform) {
    const bool fst = waveform == Waveform::Fst;
    SimulatorCommand command = {"verilator",  "--cc", "--exe",       "-O3",
                                "--x-assign", "fast", "--x-initial", "fast"};
    if (!isCpp(input))
        append(command, {"--main", "--timing", "-Wno-fatal", "-Wno-WIDTH"});
    if (!input.asserts)
        command.push_back("--noassert");
    if (input.vectors)
        command.push_back("-GVECTORS=" + std::to_string(*input.vectors));
    if (waveform != Waveform::None)
        append(command, {fst ? "--trace-fst" : "--trace"});
    if (waveform != Waveform::None && isCpp(input))
        append(command, {"-CFLAGS", fst ? "-DMARQUETRY_FST" : "-DMARQUETRY_TRACE"});
    append(command, {"--top-module", input.top, "--Mdir", objectsFolder(waveform)});
    append(command, input.modules);
    command.push_back(input.bench);
    return command;
}

} // namespace

std::string objectsFolder(Waveform waveform) {
    switch (waveform) {
    case Waveform::Vcd:
        return "traced";
    case Waveform::Fst:
        return "traced_fst";
    default:
        return "objects";
    }
}

Result<Simulator> simulatorNamed(const std::string& name) {
    if (name == "verilator")
        return Simulator::Verilator;
    if (name == "iverilog")
        return Simulator::Icarus;
    return makeError("unknown-simulator", "there is no simulator " + name,
                     "simulators: verilator, iverilog");
}

const char* nameOf(Simulator simulator) {
    return simulator == Simulator::Verilator ? "verilator" : "iverilog";
}

std::vector<SimulatorCommand> buildCommands(Simulator simulator, const SimulatorInput& input,
                                            Waveform waveform) {
    if (simulator == Simulator::Icarus)
        return {icarusBuild(input)};
    return {verilatorBuild(input, waveform), makeCommand(input, waveform)};
}

SimulatorCommand runCommand(Simulator simulator, const SimulatorInput& input, Waveform waveform,
                            const std::vector<std::string>& arguments) {
    SimulatorCommand command = {"vvp", "-n", kSimulation};
    if (simulator == Simulator::Verilator)
        command = {objectsFolder(waveform) + "/V" + input.top};
    else if (waveform == Waveform::Fst)
        command.push_back("-fst");
    append(command, arguments);
    return command;
}

std::string seedArgument(std::uint64_t seed) {
    constexpr std::uint64_t kMost = 2147483647; // of simulators
    return "+seed=" + std::to_string(seed % kMost);
}

} // namespace marquetry::hdl
