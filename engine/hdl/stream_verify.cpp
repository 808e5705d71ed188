#include "engine/hdl/simulation.h"
#include "engine/hdl/stream_export.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <sstream>

namespace marquetry::hdl {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using spacetime::SeqType;

constexpr std::int64_t kLongestTrace = 200'000;
/// Frames of a run with a frame that is too short or too long in front.
constexpr int kFaultyFrames = 3;
/// Longer frames are not sent a second and third time only to see their ends.
constexpr std::int64_t kLongestFaulty = 1 << 20;
/// Of all frames: the testbench counts in 32 bits, and simulators take minutes for less.
constexpr std::int64_t kMostClocks = 1'000'000'000;

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

class StreamRunner {
public:
    StreamRunner(const OpenedStream& opened, const VerifyParams& params, std::stop_token stop)
        : simulation_(opened.folder, params.simulator, std::move(stop)),
          interface_(opened.interface),
          params_(params) {}

    Status prepare(const std::map<std::string, std::string>& vectors) {
        return simulation_.prepare(vectors);
    }

    /// A simulator for the vectors of `frames` frames.
    Status build(int frames) {
        const std::string bench = interface_.name + "_tb";
        const std::string vectors = cat(frames);
        std::vector<std::string> command;
        if (simulation_.icarus())
            command = {"iverilog", "-g2001", cat("-P", bench, ".VECTORS=", vectors), "-s", bench,
                       "-o",       program()};
        else
            command = {"verilator",  "--binary",
                       "--timing",   "-O3",
                       "--trace",    "--x-assign",
                       "fast",       "--x-initial",
                       "fast",       "-Wno-fatal",
                       "-Wno-WIDTH", "--top-module",
                       bench,        cat("-GVECTORS=", vectors),
                       "--Mdir",     program(),
                       "-j",         "1",
                       "-CFLAGS",    "-O1"};
        for (std::string& file : simulation_.modules())
            command.push_back(std::move(file));
        command.push_back(simulation_.source() + "/tb/tb_stream.v");
        return simulation_.build(command);
    }

    Result<std::string> run(int frames, int fault, bool gaps, bool trace) {
        std::vector<std::string> command;
        if (simulation_.icarus())
            command = {"vvp", "-n", program()};
        else
            command = {program() + "/V" + interface_.name + "_tb"};
        command.push_back("+dir=" + simulation_.vectors());
        command.push_back(cat("+seed=", params_.seed % 2147483647));
        command.push_back(gaps ? "+gaps=1" : "+gaps=0");
        command.push_back(cat("+fault=", fault));
        command.push_back(cat("+frames=", frames));
        if (trace)
            command.push_back("+vcd=" + simulation_.tracePath());
        return simulation_.run(command);
    }

    std::string tracePath() const { return simulation_.tracePath(); }

private:
    std::string program() const { return simulation_.folder() + "/simulation"; }

    Simulation simulation_;
    const StreamInterface& interface_;
    const VerifyParams& params_;
};

/// Adds what a run printed; false when it did not come to its end.
bool read(const std::string& output, const std::string& program, VerifyReport& report,
          std::vector<std::int64_t>& cycles, bool& pass) {
    std::istringstream lines(output);
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
            pass = json["pass"] == true;
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
    StreamRunner runner(opened, params, stop);
    if (Status status = runner.prepare(*vectors); !status)
        return status.error();
    say(cat("building with ", nameOf(params.simulator)));
    if (Status status = runner.build(frames); !status)
        return status.error();
    const auto simulate = [&](int count, int fault, bool gaps,
                              std::vector<std::int64_t>& cycles) -> Result<bool> {
        const auto output = runner.run(count, fault, gaps, false);
        if (!output)
            return output.error();
        bool pass = false;
        if (!read(*output, opened.program, report, cycles, pass))
            return makeError("simulator-run",
                             "the simulation did not end as it should:\n" + tail(*output));
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
    if (!report.pass && report.predictedCycles * params.vectors <= kLongestTrace &&
        runner.run(params.vectors, 0, params.gaps, true) && fs::exists(runner.tracePath()))
        report.trace = runner.tracePath();
    return report;
}

} // namespace marquetry::hdl
