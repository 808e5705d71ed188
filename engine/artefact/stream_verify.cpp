#include "engine/artefact/simulation.h"
#include "engine/artefact/stream_export.h"
#include "engine/artefact/stream_testbench.h"
#include "engine/support/json.h"
#include "engine/support/quote.h"
#include "engine/support/text_stream.h"

#include <algorithm>

namespace marquetry::hdl {

namespace {

using Json = nlohmann::ordered_json;
using spacetime::SeqType;

constexpr const char* kBench = "tb/tb_stream.v";
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

/// Our bench, which the folder's must be.
Result<files::FolderFiles> benchOf(const OpenedStream& opened) {
    // It has a line for each leaf of the output: no ports are believed to be wider than that.
    const auto found = opened.source.files.find(kBench);
    const auto most =
        static_cast<std::int64_t>(found == opened.source.files.end() ? 0 : found->second.size());
    std::vector<StreamPort> ports = opened.interface.inputs;
    ports.push_back(opened.interface.output);
    for (const StreamPort& port : ports)
        if (port.lanes > most || port.lanes * std::ssize(port.leaves) > kMostLeaves)
            return damaged("the port " + inQuotes(port.name) + " of DESIGN.json is too wide");
    files::FolderFiles files = {{kBench, writeStreamTestbench(opened.interface)}};
    if (Status status = checkBench(opened.source, files); !status)
        return status.error();
    return files;
}

class StreamRunner {
public:
    StreamRunner(Simulation simulation, const StreamInterface& interface,
                 const VerifyParams& params)
        : simulation_(std::move(simulation)), interface_(interface), params_(params) {}

    /// A simulator for the vectors of `frames` frames.
    Status build(int frames) const {
        const std::string bench = interface_.name + "_tb";
        const std::string vectors = cat(frames);
        std::vector<std::string> command;
        if (simulation_.icarus())
            command = {"iverilog", "-g2001",    cat("-P", bench, ".VECTORS=", vectors), "-s", bench,
                       "-o",       "simulation"};
        else
            command = {"verilator",  "--binary",
                       "--timing",   "-O3",
                       "--trace",    "--x-assign",
                       "fast",       "--x-initial",
                       "fast",       "-Wno-fatal",
                       "-Wno-WIDTH", "--top-module",
                       bench,        cat("-GVECTORS=", vectors),
                       "--Mdir",     "objects",
                       "-j",         "1",
                       "-CFLAGS",    "-O1"};
        command.insert(command.end(), simulation_.modules().begin(), simulation_.modules().end());
        command.push_back(kBench);
        return simulation_.build(command);
    }

    Result<std::string> run(int frames, int fault, bool gaps) const {
        return simulation_.run(command(frames, fault, gaps));
    }

    /// Repeats a failing run with a trace.
    void keepTrace(VerifyReport& report) const {
        if (isTraceable(report.predictedCycles * params_.vectors, report))
            simulation_.keepTrace(command(params_.vectors, 0, params_.gaps), interface_.name,
                                  report);
    }

private:
    std::vector<std::string> command(int frames, int fault, bool gaps) const {
        std::vector<std::string> command;
        if (simulation_.icarus())
            command = {"vvp", "-n", "simulation"};
        else
            command = {"objects/V" + interface_.name + "_tb"};
        command.push_back("+dir=vectors");
        command.push_back(cat("+seed=", params_.seed % 2147483647));
        command.push_back(gaps ? "+gaps=1" : "+gaps=0");
        command.push_back(cat("+fault=", fault));
        command.push_back(cat("+frames=", frames));
        return command;
    }

    Simulation simulation_;
    const StreamInterface& interface_;
    const VerifyParams& params_;
};

/// Adds what a run printed; false when it did not come to its end.
bool read(const std::string& output, const std::string& program, VerifyReport& report,
          std::vector<std::int64_t>& cycles, bool& pass) {
    TextIn lines(output);
    for (std::string line; std::getline(lines, line);) {
        const Json json = testbenchLine(line);
        if (json.is_discarded())
            continue;
        if (json.contains("counted"))
            cycles.push_back(integer(json, "counted"));
        if (json.contains("mismatch")) {
            VerifyMismatch mismatch = mismatchOf(json["mismatch"]);
            mismatch.layer = program;
            report.mismatches.push_back(std::move(mismatch));
        }
        if (json.contains("pass")) {
            pass = json["pass"] == true && integer(json, "mismatches") == 0;
            report.mismatchCount += integer(json, "mismatches");
            return true;
        }
    }
    return false;
}

} // namespace

Result<VerifyReport> verifyStream(OpenedStream opened, const ir::StreamProgram& program,
                                  const VerifyParams& params, std::stop_token stop,
                                  const VerifyProgress& progress) {
    const auto say = [&](const std::string& line) {
        if (progress)
            progress(line);
    };
    if (Status status = completePorts(opened.interface, program); !status)
        return status.error();
    auto files = benchOf(opened);
    if (!files)
        return files.error();
    VerifyReport report;
    report.simulator = params.simulator;
    report.vectors = params.vectors;
    report.predictedCycles = opened.interface.predictedCycles();
    say(cat("predicted ", report.predictedCycles, " cycles"));
    if (Status status = checkClocks(opened.interface, params.vectors); !status)
        return status.error();
    const bool faulty = !opened.interface.inputs.empty() &&
                        opened.interface.clocks <= kLongestFaulty &&
                        std::ranges::all_of(opened.interface.inputs,
                                            [](const StreamPort& p) { return p.beats > 1; });
    const int frames = faulty ? std::max(params.vectors, kFaultyFrames) : params.vectors;
    say(cat("computing ", frames, " reference frames"));
    const auto vectors = streamVectors(opened.interface, program, frames, params.seed, stop);
    if (!vectors)
        return vectors.error();
    for (const auto& [name, text] : *vectors)
        (*files)["vectors/" + name] = text;
    auto simulation = Simulation::make(opened.source, *files, params.simulator, stop);
    if (!simulation)
        return simulation.error();
    const StreamRunner runner(*std::move(simulation), opened.interface, params);
    say(cat("building with ", nameOf(params.simulator)));
    if (Status status = runner.build(frames); !status)
        return status.error();
    const auto simulate = [&](int count, int fault, bool gaps,
                              std::vector<std::int64_t>& cycles) -> Result<bool> {
        const auto output = runner.run(count, fault, gaps);
        if (!output)
            return output.error();
        bool pass = false;
        if (!read(*output, opened.source.program, report, cycles, pass))
            return unfinished(*output);
        return pass;
    };
    say("simulating");
    const auto plain = simulate(params.vectors, 0, false, report.cycles);
    if (!plain)
        return plain.error();
    report.pass = *plain && std::ranges::all_of(report.cycles, [&](std::int64_t c) {
        return c == report.predictedCycles;
    });
    std::vector<std::int64_t> ignored;
    if (params.gaps && report.pass) {
        const auto gaps = simulate(params.vectors, 0, true, ignored);
        if (!gaps)
            return gaps.error();
        report.pass = *gaps;
    }
    if (faulty && report.pass) {
        for (const int fault : {1, 2}) {
            say(fault == 1 ? "simulating a frame cut short" : "simulating a frame too long");
            const auto ended = simulate(kFaultyFrames, fault, params.gaps, ignored);
            if (!ended)
                return ended.error();
            report.pass = report.pass && *ended;
        }
    }
    if (!report.pass)
        runner.keepTrace(report);
    return report;
}

} // namespace marquetry::hdl
