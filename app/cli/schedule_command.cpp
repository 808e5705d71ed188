#include "app/cli/commands.h"
#include "app/cli/explore_options.h"
#include "app/cli/outputs.h"
#include "app/cli/report.h"
#include "app/cli/stream_schedule.h"
#include "engine/spacetime/area.h"
#include "engine/spacetime/circuit_text.h"
#include "engine/spacetime/schedule.h"
#include "engine/stream_states/states_egraph.h"
#include "engine/support/text_stream.h"

#include <cmath>
#include <iomanip>
#include <iostream>

namespace marquetry::cli {

namespace {

using spacetime::Graph;
using spacetime::SeqType;
using spacetime::StreamDesign;
using spacetime::StreamSchedule;
using spacetime::Throughput;

std::string toText(Throughput t) {
    return std::to_string(t.atoms) + (t.clocks == 1 ? "" : "/" + std::to_string(t.clocks));
}

Json areaJson(const device::Resources& area) {
    Json json;
    json["lut"] = std::llround(area.lut);
    json["ff"] = std::llround(area.ff);
    json["bram"] = area.bram;
    json["dsp"] = std::llround(area.dsp);
    return json;
}

/// The part of what is counted of the chosen circuit, without the registers that match delays, by
/// which less may be counted of another: in sums of fractions of the device.
double gapOf(const Scheduled& scheduled) {
    const StreamDesign& chosen = scheduled.schedule.front[0];
    const double sum =
        spacetime::sumOfFractions(chosen.counted + -1.0 * chosen.matching, scheduled.device);
    return sum > 0 ? std::max(0.0, 1 - scheduled.schedule.leastFraction / sum) : 0;
}

/// One output among several: its own words in the slots of all.
SeqType withAtom(SeqType type, const ir::StreamType& atom) {
    if (type.is(SeqType::Kind::Atom))
        return spacetime::atomType(atom);
    type.parts = {withAtom(type.element(), atom)};
    return type;
}

using Estimate = Result<cost::KernelEstimate>;

/// Of the chosen circuit.
const Estimate& hardwareOf(const Scheduled& scheduled) {
    return *scheduled.hardware[0];
}

/// Of circuits that are no hardware: why.
Json estimateJson(const Estimate& estimate) {
    if (!estimate)
        return {{"error", estimate.error()[0].code}, {"message", estimate.error()[0].message}};
    Json json = areaJson(estimate->area);
    json["latency"] = estimate->latency;
    json["step_clocks"] = estimate->unit;
    json["path_ps"] = std::llround(estimate->pathDelay);
    return json;
}

/// What the search compares.
Json countedJson(const Scheduled& scheduled) {
    const StreamDesign& chosen = scheduled.schedule.front[0];
    Json json = areaJson(chosen.counted);
    json["matching_ff"] = std::llround(chosen.matching.ff);
    json["gap"] = gapOf(scheduled);
    return json;
}

Json scheduleReport(const Scheduled& scheduled) {
    const StreamSchedule& schedule = scheduled.schedule;
    const StreamDesign& chosen = schedule.front[0];
    Json report = makeReport();
    report["stream"] = scheduled.program.name;
    report["throughput"] = toText(schedule.throughput);
    report["clocks"] = schedule.clocks;
    report["output_type"] = toString(scheduled.types[chosen.circuit.output.index()]);
    report["types"] = Json::array();
    for (std::size_t k = 0; k < scheduled.types.size(); ++k)
        report["types"].push_back(
            {{"op", toString(chosen.circuit.nodes[k])}, {"type", toString(scheduled.types[k])}});
    report["area"] = areaJson(chosen.area);
    report["outputs"] = Json::array();
    for (const ir::StreamOutput& output : scheduled.program.graph.outputs) {
        const ir::StreamType& type = scheduled.program.graph.node(output.node).type;
        report["outputs"].push_back(
            {{"name", output.name},
             {"type", toString(withAtom(scheduled.types[chosen.circuit.output.index()],
                                        ir::atomOf(type)))}});
    }
    report["inputs"] = Json::array();
    for (std::size_t k = 0; k < chosen.circuit.inputs.size(); ++k) {
        const SeqType& type = scheduled.types[chosen.circuit.inputs[k].index()];
        const auto id = scheduled.program.graph.inputs[k];
        report["inputs"].push_back({{"name", scheduled.program.graph.node(id).name},
                                    {"type", toString(type)},
                                    {"rate", toText(spacetime::throughput(type))}});
    }
    report["delay"] = chosen.delay;
    report["hardware"] = estimateJson(hardwareOf(scheduled));
    report["counted"] = countedJson(scheduled);
    report["front"] = Json::array();
    for (const StreamDesign& design : schedule.front) {
        Json point = areaJson(design.area);
        point["delay"] = design.delay;
        report["front"].push_back(std::move(point));
    }
    if (!schedule.complete)
        report["stop"] = "time";
    report["candidates"] = schedule.outputTypes.size();
    report["states"] = schedule.states;
    report["search_ms"] = schedule.seconds * 1000;
    return report;
}

std::string areaText(const device::Resources& area, const std::string& ramKind) {
    TextOut text;
    text << std::llround(area.lut) << " LUT, " << std::llround(area.ff) << " FF, " << area.bram
         << " " << ramKind << ", " << area.dsp << " DSP";
    return text.str();
}

std::string areaText(const StreamDesign& design, const std::string& ramKind) {
    return areaText(design.area, ramKind) + ", delay " + std::to_string(design.delay);
}

/// Of the kernel that is built.
std::string hardwareText(const Estimate& estimate) {
    if (!estimate)
        return "none, " + estimate.error()[0].message;
    const std::int64_t clocks = estimate->latency * estimate->unit;
    TextOut text;
    text << "latency " << clocks << (clocks == 1 ? " clock" : " clocks") << ", longest path "
         << std::fixed << std::setprecision(2) << estimate->pathDelay / 1000 << " ns";
    return text.str();
}

void printScheduled(const Scheduled& scheduled) {
    const StreamSchedule& schedule = scheduled.schedule;
    const StreamDesign& chosen = schedule.front[0];
    std::cout << "stream " << scheduled.program.name << ": " << toText(schedule.throughput)
              << " elements per clock, " << schedule.clocks << " clocks\n";
    for (std::size_t k = 0; k < scheduled.types.size(); ++k) {
        const spacetime::Node& node = chosen.circuit.nodes[k];
        std::string text = "  %" + std::to_string(k) + " = " + toString(node);
        for (const spacetime::NodeId operand : node.operands)
            text += " %" + std::to_string(operand.value());
        std::cout << std::left << std::setw(36) << text << " : " << toString(scheduled.types[k])
                  << "\n";
    }
    std::cout << "area: " << areaText(chosen, scheduled.device.ramKind) << "\n";
    std::cout << "hardware: " << hardwareText(hardwareOf(scheduled)) << "\n";
    std::cout << "counted by the search: " << areaText(chosen.counted, scheduled.device.ramKind)
              << "\n";
    for (std::size_t k = 1; k < schedule.front.size(); ++k)
        std::cout << "or:   " << areaText(schedule.front[k], scheduled.device.ramKind) << "\n";
    if (!schedule.complete)
        std::cout << "the time ended: of another circuit less may be counted, by at most "
                  << std::ceil(100 * gapOf(scheduled)) << " %\n";
    std::cout << schedule.outputTypes.size() << " output types, " << schedule.states << " states\n";
}

struct Outputs {
    OutputPlace egraph;
    OutputPlace folder; ///< holds the report and the circuit with its functions
};

Outputs outputsOf(const ScheduleOptions& options) {
    const std::vector<std::string> inputs{options.file, options.device};
    return {{options.egraph, options.force, inputs}, {options.out, options.force, inputs}};
}

Status checkFiles(const Outputs& outputs) {
    if (Status free = checkFile(outputs.egraph, FileKind::EGraph); !free)
        return free;
    return checkFolder(outputs.folder, FolderKind::Schedule);
}

Status writeFiles(const ScheduleOptions& options, const Outputs& outputs,
                  const Scheduled& scheduled, const Json& report) {
    if (!options.egraph.empty()) {
        const auto graph =
            stream_states::serialize(*scheduled.schedule.stateGraph, scheduled.device);
        if (Status written = writeFile(outputs.egraph, FileKind::EGraph, egraph::writeJson(graph));
            !written)
            return written;
    }
    if (options.out.empty())
        return ok();
    return writeFolder(outputs.folder, FolderKind::Schedule,
                       {{markerOf(FolderKind::Schedule), dump(report) + "\n"},
                        {"circuit.txt", toText(scheduled.schedule.front[0].circuit)}});
}

int schedule(const ScheduleOptions& options) {
    const datapath::Deadline deadline =
        session::hardwareDeadline(options.timeGiven, options.seconds);
    const Outputs outputs = outputsOf(options);
    if (const Status free = checkFiles(outputs); !free)
        return fail(free.error(), options.json);
    auto parsed = readProgram(options.file);
    if (!parsed)
        return fail(parsed.error(), options.json);
    const auto scheduled = findSchedule(options, *std::move(parsed), deadline);
    if (!scheduled)
        return fail(scheduled.error(), options.json);
    const Json report = scheduleReport(*scheduled);
    if (const Status written = writeFiles(options, outputs, *scheduled, report); !written)
        return fail(written.error(), options.json);
    if (options.json)
        printJson(report);
    else
        printScheduled(*scheduled);
    return kDone;
}

std::string rewritesHelp() {
    std::string names;
    for (const algebra::RewriteInfo& rewrite : algebra::rewriteTable())
        names += (names.empty() ? "" : ", ") + std::string(rewrite.name);
    return "rewrites of the kernel that are not to be used: " + names;
}

} // namespace

void addScheduleCommand(CLI::App& app, CliContext& context) {
    auto options = std::make_shared<ScheduleOptions>();
    CLI::App* command =
        app.add_subcommand("schedule", "A stream in space and time: types, circuit, area, front");
    command->add_option("FILE", options->file, "the .mq file")->required();
    command->add_option("--item", options->item, "the stream of this name instead of the first");
    auto* throughput = command->add_option("--throughput", options->throughput,
                                           "elements of the output per clock: N or N/M");
    auto* clocks = command->add_option("--clocks", options->clocks, "clocks of the whole output");
    throughput->excludes(clocks);
    command->add_option("--device", options->device, "device id or device file")
        ->capture_default_str();
    auto* time = command
                     ->add_option("--time", options->seconds,
                                  "seconds for the search; then the best circuit so far")
                     ->capture_default_str()
                     ->check(positiveSeconds());
    command->add_option("--output-type", options->outputType,
                        "pin: this type of the output, as \"TSeq 4 0 (SSeq 2 u8)\"");
    command->add_option("--without", options->without, rewritesHelp())->delimiter(',');
    command->add_option("--out", options->out,
                        "folder for the report and the circuit with its functions");
    auto* egraph = command->add_option("--egraph", options->egraph,
                                       "JSON file for the states of the search, as an e-graph");
    command
        ->add_option("--within", options->within,
                     "states of circuits up to so many percent above the least")
        ->capture_default_str()
        ->check(CLI::Range(0.0, 1000.0))
        ->needs(egraph);
    addForceOption(*command, options->force);
    command->add_flag("--json", options->json, "one JSON object on standard output");
    command->callback([options, throughput, clocks, time, &context] {
        options->timeGiven = time->count() > 0;
        if (throughput->count() + clocks->count() == 0)
            throw CLI::RequiredError("--throughput or --clocks");
        context.exitStatus = schedule(*options);
    });
}

} // namespace marquetry::cli
