#include "engine/session/hardware.h"

#include "engine/artefact/design_artefact.h"
#include "engine/artefact/memory_artefact.h"
#include "engine/artefact/stream_artefact.h"
#include "engine/banking/hls_header.h"
#include "engine/ir/printer.h"
#include "engine/lower_design/lower_design.h"
#include "engine/session/bank_json.h"
#include "engine/session/export_design.h"
#include "engine/session/verify_export.h"

#include <algorithm>

namespace marquetry::session {

namespace {

/// The unit that the module, or the file of weights, belongs to.
std::string unitOf(const design::Schedule& schedule, const hdl::DesignHardware& hardware,
                   const std::string& name) {
    for (std::size_t u = 0; u < hardware.units.size(); ++u) {
        const hdl::UnitNames& unit = hardware.units[u];
        if (name == unit.weights || std::ranges::count(unit.modules, name) > 0)
            return schedule.units[u].name;
    }
    return {};
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
    if (report.checkpoints)
        text += "\n" + hdl::toText(*report.checkpoints);
    if (!report.trace.empty())
        text += "\ntrace: " + report.trace;
    if (!report.traceNote.empty())
        text += "\n" + report.traceNote;
    return text;
}

const spacetime::Graph& circuitOf(const StreamItem& stream) {
    return stream.schedule->front[stream.chosen].circuit;
}

/// What the chosen circuit was priced by; null where it has no price.
datapath::SharedDatapath estimatedOf(const StreamItem& stream) {
    if (stream.chosen >= stream.hardware.size())
        return nullptr;
    const cost::SharedEstimate& estimate = stream.hardware[stream.chosen];
    return estimate && *estimate ? (*estimate)->timed : nullptr;
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

/// A circuit that has no estimate is too large to be written just to be looked at.
bool isTooLarge(const StreamToBuild& built) {
    return estimatedOf(*built.stream) == nullptr;
}

std::vector<HdlFile> textOf(const StreamToBuild& built, const Writing& writing) {
    const StreamItem& stream = *built.stream;
    const datapath::SharedDatapath timed = estimatedOf(stream);
    if (!timed || !writing.goesOn())
        return {};
    return filesOf(
        hdl::makeStreamHardware(*stream.program, *timed, rtl::vendorOf(built.device.family))
            .netlist,
        writing);
}

/// What the RTL of a design is made of.
struct ScheduleToBuild {
    const design::Schedule& schedule;
    const ir::Program& program;
    const std::string& device; ///< id
    const hdl::LayerCircuits& circuits;
};

std::vector<HdlFile> textOf(const ScheduleToBuild& built, const Writing& writing) {
    const design::Schedule& schedule = built.schedule;
    const std::vector<std::vector<std::int64_t>> noWeights(schedule.units.size());
    const auto circuits =
        hdl::streamCircuits(schedule, built.program, built.circuits, writing.stop);
    if (!circuits || !writing.goesOn())
        return {};
    const hdl::DesignHardware hardware = hdl::lowerDesign(
        schedule, noWeights, *circuits, rtl::vendorOf(deviceNamed(built.device).family));
    const hdl::Netlist& netlist = hardware.netlist;
    std::vector<HdlFile> files = filesOf(netlist, writing);
    for (std::size_t k = 0; k < files.size(); ++k)
        files[k].unit = unitOf(schedule, hardware, netlist.modules[k].name);
    for (const hdl::MemoryFile& memory : netlist.memories)
        files.push_back({"rtl/" + memory.name, "(weights: written by an export)\n",
                         unitOf(schedule, hardware, memory.name)});
    return files;
}

std::vector<HdlFile> textOf(const DesignToBuild& built, const Writing& writing) {
    return textOf(ScheduleToBuild{*built.design->schedule, *built.program, built.design->device,
                                  built.circuits},
                  writing);
}

std::vector<HdlFile> textOf(const HeldToBuild& built, const Writing& writing) {
    return textOf(
        ScheduleToBuild{*built.design->schedule, *built.program, built.design->device, {}},
        writing);
}

template <class Design>
bool isTooLarge(const Design&) {
    return false;
}

/// More connections of lanes and banks are not written just to be looked at.
constexpr std::int64_t kMostConnections = std::int64_t{1} << 14;

hdl::BankedMemory bankedMemory(const MemoryToBuild& built) {
    const MemoryItem& item = *built.memory;
    return hdl::describeMemory(item.program->name, *item.pattern, item.detail->priced.scheme,
                               built.device);
}

bool isTooLarge(const MemoryToBuild& built) {
    std::int64_t connections = 0;
    for (const auto& group : built.memory->detail->priced.cost.banksSeen)
        for (const std::int64_t banks : group)
            connections += banks;
    return connections > kMostConnections;
}

std::vector<HdlFile> textOf(const MemoryToBuild& built, const Writing& writing) {
    if (isTooLarge(built))
        return {};
    return filesOf(hdl::lowerMemory(bankedMemory(built)), writing);
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

Result<hdl::Artefact> artefactOf(const MemoryToBuild& built, const ExportOrder& order,
                                 std::stop_token) {
    const MemoryItem& item = *built.memory;
    hdl::MemoryExportRequest request;
    request.memory = bankedMemory(built);
    const ir::MemoryProgram program = named(item, request.memory.name);
    request.item = program.name;
    request.programText = item.buffer ? ir::print(program) : *built.source;
    request.memoryJson =
        bankJson(program, *item.pattern, *item.plan, item.detail->priced, built.device).dump();
    request.hlsHeader = banking::hlsHeader(program, *item.pattern, item.detail->priced.scheme);
    request.form = order.form;
    request.device = built.device;
    request.extras.pictures = order.pictures;
    return hdl::memoryArtefact(request);
}

Result<hdl::Artefact> artefactOf(const StreamToBuild& built, const ExportOrder& order,
                                 std::stop_token stop) {
    hdl::StreamExportRequest request;
    request.program = *built.stream->program;
    request.circuit = circuitOf(*built.stream);
    request.timed = estimatedOf(*built.stream);
    request.text = *built.source;
    request.device = built.device;
    request.seed = built.seed;
    request.form = order.form;
    request.extras.pictures = order.pictures;
    request.deadline = order.deadline;
    request.outputType = built.stream->scheduledType;
    request.least = built.stream->chosen == 0;
    if (order.vectors > 0)
        request.vectors = order.vectors;
    return hdl::streamArtefact(request, std::move(stop));
}

ExportOptions optionsOf(const ExportOrder& order, std::uint64_t seed) {
    ExportOptions options;
    options.form = order.form;
    options.seed = seed;
    options.pictures = order.pictures;
    if (order.vectors > 0)
        options.vectors = order.vectors;
    return options;
}

Result<hdl::Artefact> artefactOf(const HeldToBuild& built, const ExportOrder& order,
                                 std::stop_token stop) {
    const auto request = makeExportRequest(*built.design, *built.program, *built.source,
                                           optionsOf(order, built.seed));
    if (!request)
        return request.error();
    return hdl::designArtefact(*request, std::move(stop));
}

Result<hdl::Artefact> artefactOf(const DesignToBuild& built, const ExportOrder& order,
                                 std::stop_token stop) {
    ExportOptions options = optionsOf(order, built.choices.settings.seed);
    options.choices = built.choices;
    options.circuits = built.circuits;
    const auto request = makeExportRequest(*built.design, *built.program, *built.source, options);
    if (!request)
        return request.error();
    return hdl::designArtefact(*request, std::move(stop));
}

std::vector<std::string> inputsOf(const DesignToBuild& built) {
    return inputFiles(*built.program);
}

std::vector<std::string> inputsOf(const HeldToBuild& built) {
    std::vector<std::string> inputs = inputFiles(*built.program);
    inputs.push_back(built.design->path);
    return inputs;
}

std::vector<std::string> inputsOf(const StreamToBuild& built) {
    return {built.stream->program->file};
}

std::vector<std::string> inputsOf(const MemoryToBuild& built) {
    return {built.memory->program->file};
}

} // namespace

namespace {

Status exportableOf(const DesignToBuild& built) {
    if (!built.design)
        return makeError("no-design", "there is no design yet", "run the exploration first");
    return exportable(*built.design);
}

Status exportableOf(const HeldToBuild& built) {
    if (const Status fresh = checkFresh(*built.design, *built.program); !fresh)
        return fresh;
    if (!built.design->schedule)
        return notExportable(*built.design);
    return hdl::check(*built.design->schedule);
}

template <class Other>
Status exportableOf(const Other&) {
    return ok();
}

} // namespace

Status Hardware::exportable(const ToBuild& hardware) {
    return std::visit([](const auto& built) { return exportableOf(built); }, hardware);
}

std::vector<HdlFile> Hardware::files(const ToBuild& hardware, const std::function<void()>& progress,
                                     std::stop_token stop) {
    const Writing writing{progress, std::move(stop)};
    return std::visit([&](const auto& built) { return textOf(built, writing); }, hardware);
}

Result<std::vector<ListedFile>> Hardware::list(const ToBuild& hardware, const ExportOrder& order,
                                               std::stop_token stop) {
    if (std::visit([](const auto& built) { return isTooLarge(built); }, hardware))
        return makeError("not-listed", "this is too large to be made just to be looked at",
                         "an export makes it");
    const auto artefact =
        std::visit([&](const auto& built) { return artefactOf(built, order, stop); }, hardware);
    if (!artefact)
        return artefact.error();
    hdl::ExportFiles files = hdl::filesOf(*artefact);
    files[hdl::kManifestName] =
        hdl::writeManifest({artefact->program, artefact->form.target}, files);
    std::vector<ListedFile> listed;
    for (const auto& [path, text] : files)
        listed.push_back({path, text.size(), text.substr(0, ListedFile::kHeadBytes)});
    if (artefact->flow)
        listed.push_back({hdl::bitstreamFile(*artefact->flow), 0, "made when it is exported"});
    return listed;
}

Result<hdl::ExportReport> Hardware::exportTo(const ToBuild& hardware, const ExportOrder& order,
                                             std::stop_token stop) {
    return hdl::exportArtefact(
        std::visit([&](const auto& built) { return artefactOf(built, order, stop); }, hardware),
        order.place, stop);
}

std::vector<std::string> Hardware::inputsOf(const ToBuild& hardware) {
    return std::visit([](const auto& built) { return session::inputsOf(built); }, hardware);
}

Result<std::string> Hardware::exportTemporarily(const ToBuild& hardware, std::stop_token stop) {
    temporary_.reset();
    auto made = files::PrivateFolder::make();
    if (!made)
        return made.error();
    temporary_.emplace(*std::move(made));
    const std::string folder = temporary_->path() + "/export";
    const auto written = exportTo(hardware, {{folder, inputsOf(hardware), false}}, std::move(stop));
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
