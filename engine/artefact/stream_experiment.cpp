#include "engine/artefact/experiment.h"
#include "engine/artefact/exported_core.h"
#include "engine/artefact/simulator.h"
#include "engine/artefact/stream_artefact.h"
#include "engine/artefact/stream_testbench.h"
#include "engine/support/json.h"
#include "engine/support/quote.h"

#include <algorithm>

namespace marquetry::hdl {

namespace {

using spacetime::SeqType;

/// Frames of a run with a frame that is too short or too long in front.
constexpr int kFaultyFrames = 3;
/// Longer frames are not sent a second and third time only to see their ends.
constexpr std::int64_t kLongestFaulty = 1 << 20;
/// Of all frames: the testbench counts in 32 bits, and simulators take minutes for less.
constexpr std::int64_t kMostClocks = 1'000'000'000;
/// Of a port: eight bytes of each are still counted in 32 bits.
constexpr std::int64_t kMostLeaves = 1 << 20;

/// Puts the atom of a value's type into the layers of a port; false when they are not its layers.
bool complete(SeqType& type, const ir::StreamType& value) {
    const ir::StreamType& atom = ir::atomOf(value);
    SeqType* inner = &type;
    while (!inner->is(SeqType::Kind::Atom))
        inner = &inner->parts[0];
    inner->atom = atom;
    return atomCount(type) == ir::atoms(value);
}

Status completePorts(StreamInterface& interface, const ir::StreamProgram& program) {
    const auto differs = [](const std::string& name) {
        return makeError("schedule-form", "the export and the program disagree about " + name,
                         "export the stream again");
    };
    const ir::StreamGraph& graph = program.graph;
    if (interface.inputs.size() != graph.inputs.size() || graph.outputs.size() != 1)
        return differs("the number of streams");
    for (std::size_t k = 0; k < graph.inputs.size(); ++k) {
        StreamPort& port = interface.inputs[k];
        if (!complete(port.type, graph.node(graph.inputs[k]).type))
            return differs(port.name);
        port.leaves = ir::leaves(atomOf(port.type));
    }
    if (!complete(interface.output.type, graph.node(graph.outputs[0].node).type))
        return differs(interface.output.name);
    interface.output.leaves = ir::leaves(atomOf(interface.output.type));
    return ok();
}

/// The last frame ends with its last result, those before it with all their clocks.
Status checkClocks(const StreamInterface& interface, int frames) {
    const std::int64_t last = interface.predictedCycles();
    if (last <= kMostClocks &&
        (frames <= 1 || interface.clocks <= (kMostClocks - last) / (frames - 1)))
        return ok();
    return makeError("too-many-clocks",
                     cat("simulations end after ", kMostClocks, " clocks; a frame takes ",
                         interface.clocks, ", ", last, " until its last result"),
                     "fewer vectors, or the stream at a higher throughput");
}

/// No ports are believed to be wider than the folder's bench, which has a line for each leaf of the
/// output.
Status checkWidths(const ExportFolder& source, const StreamInterface& interface) {
    std::int64_t most = 0;
    for (const char* bench : {kStreamBench, kAxiBench})
        if (const auto found = source.files.find(bench); found != source.files.end())
            most = std::max(most, std::ssize(found->second));
    std::vector<StreamPort> ports = interface.inputs;
    ports.push_back(interface.output);
    for (const StreamPort& port : ports)
        if (port.lanes > most || port.lanes * std::ssize(port.leaves) > kMostLeaves)
            return damaged("the port " + inQuotes(port.name) + " of DESIGN.json is too wide");
    return ok();
}

bool canBeFaulty(const StreamInterface& interface) {
    return !interface.inputs.empty() && interface.clocks <= kLongestFaulty &&
           std::ranges::all_of(interface.inputs, [](const StreamPort& p) { return p.beats > 1; });
}

std::vector<Trial> trialsOf(const VerifyParams& params, bool faulty) {
    const auto arguments = [&](int frames, int fault, bool gaps) -> std::vector<std::string> {
        return {"+dir=vectors", seedArgument(params.seed), gaps ? "+gaps=1" : "+gaps=0",
                cat("+fault=", fault), cat("+frames=", frames)};
    };
    std::vector<Trial> trials = {{"simulating", arguments(params.vectors, 0, false)}};
    if (params.gaps)
        trials.push_back({"simulating gaps", arguments(params.vectors, 0, true), false});
    if (faulty) {
        trials.push_back(
            {"simulating a frame cut short", arguments(kFaultyFrames, 1, params.gaps), false});
        trials.push_back(
            {"simulating a frame too long", arguments(kFaultyFrames, 2, params.gaps), false});
    }
    return trials;
}

/// The interface with the leaves that the program's types have.
Result<StreamInterface> interfaceOf(const ExportFolder& source, const ir::StreamProgram& program) {
    auto interface = streamIn(source);
    if (!interface)
        return interface.error();
    if (Status status = completePorts(*interface, program); !status)
        return status.error();
    if (Status status = checkWidths(source, *interface); !status)
        return status.error();
    return interface;
}

} // namespace

Result<Experiment> experimentOf(const ExportFolder& source, const ir::StreamProgram& program,
                                const VerifyParams& params, std::stop_token) {
    const auto interface = interfaceOf(source, program);
    if (!interface)
        return interface.error();
    const auto core = ExportedCore::in(source, coreOf(*interface), interface->name,
                                       streamBench(*interface, streamNames(*interface)));
    if (!core)
        return core.error();
    Experiment made;
    const char* const file = core->hasShell() ? kAxiBench : kStreamBench;
    made.benches = {{file, writeAxisTestbench(core->bench())}};
    if (Status status = checkBench(source, made.benches); !status)
        return status.error();
    if (Status status = checkClocks(*interface, params.vectors); !status)
        return status.error();
    const bool faulty = !core->hasShell() && canBeFaulty(*interface);
    const int frames = faulty ? std::max(params.vectors, kFaultyFrames) : params.vectors;
    made.name = interface->name;
    made.input = {file, core->bench().names.bench, frames};
    made.predictedCycles = core->cycles(interface->predictedCycles());
    made.exact = made.predictedCycles > 0;
    if (core->hasShell())
        made.turn = interface->clocks; // the core's own frames go on between those of the shell
    made.clocks = (interface->predictedCycles() + core->shellBeatsOfFrame()) * params.vectors;
    made.trials = trialsOf(params, faulty);
    made.vectorsSaid = cat("computing ", frames, " reference frames");
    made.vectors = [interface = *interface, &program, frames, params,
                    core = *core](std::stop_token stop) {
        auto files = streamVectors(interface, program, frames, params.seed, std::move(stop));
        if (files)
            *files = core.vectors(*std::move(files));
        return files;
    };
    made.layerOf = [name = source.program](const std::string&) { return name; };
    return made;
}

} // namespace marquetry::hdl
