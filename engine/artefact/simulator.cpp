#include "engine/artefact/simulator.h"

namespace marquetry::hdl {

namespace {

constexpr const char* kSimulation = "simulation";

std::string objects(bool trace) {
    return trace ? "traced" : "objects";
}

bool isCpp(const SimulatorInput& input) {
    return input.bench.ends_with(".cpp");
}

void append(Command& command, const std::vector<std::string>& words) {
    command.insert(command.end(), words.begin(), words.end());
}

Command icarusBuild(const SimulatorInput& input) {
    Command command = {"iverilog", "-g2001"};
    if (input.vectors)
        command.push_back("-P" + input.top + ".VECTORS=" + std::to_string(*input.vectors));
    append(command, {"-s", input.top, "-o", kSimulation, input.bench});
    append(command, input.modules);
    return command;
}

/// A bench in C++ drives the hardware clock by clock; one in Verilog waits and prints itself.
Command verilatorBuild(const SimulatorInput& input, bool trace) {
    Command command = {"verilator", "-O3", "--x-assign", "fast", "--x-initial", "fast"};
    if (isCpp(input))
        append(command, {"--cc", "--exe"});
    else
        append(command, {"--binary", "-Wno-fatal", "-Wno-WIDTH", "-MAKEFLAGS",
                         "-s OPT_FAST=-O1 OPT_GLOBAL=-O0"});
    if (!input.asserts)
        command.push_back("--noassert");
    if (input.vectors)
        command.push_back("-GVECTORS=" + std::to_string(*input.vectors));
    if (trace)
        append(command, {"--trace"});
    if (trace && isCpp(input))
        append(command, {"-CFLAGS", "-DMARQUETRY_TRACE"});
    append(command, {"--top-module", input.top, "--Mdir", objects(trace)});
    append(command, input.modules);
    command.push_back(input.bench);
    return command;
}

} // namespace

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

std::vector<Command> buildCommands(Simulator simulator, const SimulatorInput& input, bool trace) {
    if (simulator == Simulator::Icarus)
        return {icarusBuild(input)};
    std::vector<Command> commands = {verilatorBuild(input, trace)};
    if (isCpp(input))
        commands.push_back({"make", "-s", "-C", objects(trace), "-f", "V" + input.top + ".mk",
                            "OPT_FAST=-O2", "OPT_SLOW=-O0", "OPT_GLOBAL=-O1"});
    return commands;
}

Command runCommand(Simulator simulator, const SimulatorInput& input, bool trace,
                   const std::vector<std::string>& arguments) {
    Command command = {"vvp", "-n", kSimulation};
    if (simulator == Simulator::Verilator)
        command = {objects(trace) + "/V" + input.top};
    append(command, arguments);
    return command;
}

} // namespace marquetry::hdl
