#include "engine/session/hardware.h"

#include "engine/artefact/memory_export.h"
#include "engine/artefact/stream_export.h"
#include "engine/ir/printer.h"
#include "engine/lower_design/lower_design.h"
#include "engine/lower_design/plan.h"
#include "engine/session/bank_json.h"
#include "engine/session/export_design.h"
#include "engine/session/verify_export.h"

#include <algorithm>

namespace marquetry::session {

namespace {

/// The unit whose module, or a part of it, the file holds: the one with the longest fitting name.
std::string unitOf(const design::Schedule& schedule, const hdl::RtlPlan& plan,
                   const std::string& file) {
    std::string unit;
    std::size_t length = 0;
    for (std::size_t u = 0; u < plan.units.size(); ++u) {
        const std::string& module = plan.units[u].module;
        const bool part = file == module || file.starts_with(module + "_");
        if (part && module.size() > length) {
            unit = schedule.units[u].name;
            length = module.size();
        }
    }
    return unit;
}

std::string shown(const hdl::VerifyMismatch& mismatch) {
    return "output " + mismatch.output + ", layer " + mismatch.layer + ", index " +
           std::to_string(mismatch.index) + ": expected " + std::to_string(mismatch.expected) +
           ", got " + std::to_string(mismatch.got) + " at cycle " + std::to_string(mismatch.cycle);
}

std::string verdict(const hdl::VerifyReport& report) {
    std::string text = (report.pass ? "pass: " : "FAIL: ") + std::to_string(report.vectors) +
                       " vectors, " + std::to_string(report.mismatchCount) + " mismatches";
    for (const hdl::VerifyMismatch& mismatch : report.mismatches)
        text += "\n" + shown(mismatch);
    if (!report.trace.empty())
        text += "\ntrace: " + report.trace;
    if (!report.traceNote.empty())
        text += "\n" + report.traceNote;
    return text;
}

const spacetime::Graph& circuitOf(const StreamItem& stream) {
    return stream.schedule->front[stream.chosen].circuit;
}

/// Between two files others get their turn.
struct Writing {
    const std::function<void()>& progress;
    std::stop_token stop;

    bool goesOn() const {
        if (!stop.stop_requested())
            progress();
        return !stop.stop_requested();
    }
};

std::vector<HdlFile> filesOf(const hdl::Netlist& netlist, const Writing& writing) {
    std::vector<HdlFile> files;
    for (const hdl::Module& module : netlist.modules) {
        if (!writing.goesOn())
            return {};
        files.push_back({"rtl/" + module.name + ".v", module.verilog, {}});
    }
    return files;
}

/// None of a circuit that has no estimate: it is too large to be written just to be looked at.
std::vector<HdlFile> streamFiles(const StreamItem& stream, const Writing& writing) {
    const StreamHardware& estimate = stream.hardware[stream.chosen];
    if (!estimate || !*estimate)
        return {};
    const auto hardware = hdl::makeStreamHardware(*stream.program, circuitOf(stream), writing.stop);
    return hardware ? filesOf(hardware->netlist, writing) : std::vector<HdlFile>();
}

std::vector<HdlFile> designFiles(const HardwareParams& params, const Writing& writing) {
    const design::Schedule& schedule = *params.design->schedule;
    const std::vector<std::vector<std::int64_t>> noWeights(schedule.units.size());
    const auto circuits = hdl::streamCircuits(schedule, *params.program, writing.stop);
    if (!circuits || !writing.goesOn())
        return {};
    const hdl::Netlist netlist =
        hdl::lowerDesign(schedule, noWeights, *circuits, vendorOf(*params.design));
    const hdl::RtlPlan plan = hdl::makePlan(schedule);
    std::vector<HdlFile> files = filesOf(netlist, writing);
    for (std::size_t k = 0; k < files.size(); ++k)
        files[k].unit = unitOf(schedule, plan, netlist.modules[k].name);
    for (const hdl::MemoryFile& memory : netlist.memories)
        files.push_back({"rtl/" + memory.name, "(weights: written by an export)\n",
                         unitOf(schedule, plan, memory.name)});
    return files;
}

/// More connections of lanes and banks are not written just to be looked at.
constexpr std::int64_t kMostConnections = std::int64_t{1} << 14;

hdl::BankedMemory bankedMemory(const HardwareParams& params) {
    const MemoryItem& item = *params.memory;
    return hdl::describeMemory(item.program->name, *item.pattern, item.detail->priced.scheme,
                               params.device);
}

std::vector<HdlFile> memoryFiles(const HardwareParams& params, const Writing& writing) {
    std::int64_t connections = 0;
    for (const auto& group : params.memory->detail->priced.cost.banksSeen)
        for (const std::int64_t banks : group)
            connections += banks;
    if (connections > kMostConnections)
        return {};
    return filesOf(hdl::lowerMemory(bankedMemory(params)), writing);
}

/// The item as a file of its own; a buffer has the name of the module, and an array of that name or
/// one like it that no loop has.
ir::MemoryProgram named(const MemoryItem& item, const std::string& module) {
    ir::MemoryProgram program = *item.program;
    if (!item.buffer)
        return program;
    const auto taken = [&](const std::string& name) {
        return std::ranges::any_of(program.nests, [&](const ir::MemoryNest& nest) {
            return std::ranges::count(nest.loops, name, &ir::MemoryLoop::name) > 0;
        });
    };
    program.name = program.array = module;
    while (taken(program.array))
        program.array += "_array";
    return program;
}

Result<hdl::ExportReport> exportMemory(const HardwareParams& params, const ExportOrder& order,
                                       std::stop_token stop) {
    const MemoryItem& item = *params.memory;
    hdl::MemoryExportRequest request;
    request.memory = bankedMemory(params);
    const ir::MemoryProgram program = named(item, request.memory.name);
    request.item = program.name;
    request.programText = item.buffer ? ir::print(program) : *params.source;
    request.memoryJson =
        bankJson(program, *item.pattern, *item.plan, item.detail->priced, params.device).dump();
    request.target = order.target;
    return hdl::exportMemory(request, order.place, std::move(stop));
}

Result<hdl::ExportReport> exportStream(const HardwareParams& params, const ExportOrder& order,
                                       std::stop_token stop) {
    hdl::StreamExportRequest request;
    request.program = *params.stream->program;
    request.circuit = circuitOf(*params.stream);
    request.text = *params.source;
    request.seed = params.seed;
    request.target = order.target;
    request.deadline = order.deadline;
    if (order.vectors > 0)
        request.vectors = order.vectors;
    return hdl::exportStream(request, order.place, std::move(stop));
}

Result<hdl::ExportReport> exportDesign(const HardwareParams& params, const ExportOrder& order,
                                       std::stop_token stop) {
    ExportOptions options;
    options.target = order.target;
    options.seed = params.seed;
    if (order.vectors > 0)
        options.vectors = order.vectors;
    const auto request =
        makeExportRequest(*params.design, *params.program, *params.source, options);
    if (!request)
        return request.error();
    return hdl::exportDesign(*request, order.place, std::move(stop));
}

} // namespace

Status Hardware::exportable(const HardwareParams& params) {
    if (params.stream || params.memory)
        return ok();
    if (!params.design)
        return makeError("no-design", "there is no design yet", "run the exploration first");
    if (!params.design->schedule)
        return makeError("not-exportable",
                         "this design cannot be exported: " + params.design->notExportable,
                         "choose limits under which everything stays on chip");
    return hdl::check(*params.design->schedule);
}

std::vector<HdlFile> Hardware::files(const HardwareParams& params,
                                     const std::function<void()>& progress, std::stop_token stop) {
    const Writing writing{progress, std::move(stop)};
    if (params.memory)
        return memoryFiles(params, writing);
    return params.stream ? streamFiles(*params.stream, writing) : designFiles(params, writing);
}

Result<hdl::ExportReport> Hardware::exportTo(const HardwareParams& params, const ExportOrder& order,
                                             std::stop_token stop) {
    if (params.memory)
        return exportMemory(params, order, std::move(stop));
    return params.stream ? exportStream(params, order, std::move(stop))
                         : exportDesign(params, order, std::move(stop));
}

std::vector<std::string> Hardware::inputsOf(const HardwareParams& params) {
    if (params.memory)
        return {params.memory->program->file};
    return params.stream ? std::vector{params.stream->program->file} : inputFiles(*params.program);
}

Result<std::string> Hardware::exportTemporarily(const HardwareParams& params,
                                                std::stop_token stop) {
    temporary_.reset();
    auto made = files::PrivateFolder::make();
    if (!made)
        return made.error();
    temporary_.emplace(*std::move(made));
    const std::string folder = temporary_->path() + "/export";
    const auto written = exportTo(params, {{folder, inputsOf(params), false}}, std::move(stop));
    if (!written)
        return written.error();
    return folder;
}

Status Hardware::verify(const VerifyRequest& request, VerifyState& state,
                        const std::function<void()>& progress, std::stop_token stop) {
    const auto end = [&](const Diagnostics& errors) -> Status {
        state.running = false;
        state.message = errors.front().message;
        return errors;
    };
    const auto simulator = hdl::simulatorNamed(request.command.simulator);
    if (!simulator)
        return end(simulator.error());
    if (request.command.vectors < 1 || request.command.vectors > 10000)
        return end({makeError("verify-vectors", "verify takes 1 to 10000 vectors")});
    hdl::VerifyParams params;
    params.simulator = *simulator;
    params.vectors = request.command.vectors;
    params.seed = request.command.seed;
    const auto report =
        verifyExport(request.folder, params, std::move(stop), [&](const std::string& line) {
            state.message = line;
            progress();
        });
    if (!report)
        return end(report.error());
    state.running = false;
    state.done = true;
    state.pass = report->pass;
    state.cycles = report->cycles.empty() ? 0 : report->cycles.front();
    state.predictedCycles = report->predictedCycles;
    state.message = verdict(*report);
    return ok();
}

} // namespace marquetry::session
