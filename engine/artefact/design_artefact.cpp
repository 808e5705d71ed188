#include "engine/artefact/design_artefact.h"

#include "engine/artefact/product_reports.h"
#include "engine/artefact/shelled_hardware.h"
#include "engine/artefact/testbench_writer.h"
#include "engine/artefact/vectors.h"
#include "engine/design/schedule_json.h"
#include "engine/design/weight_image.h"
#include "engine/lower_design/clock_paths.h"
#include "engine/lower_design/lower_design.h"
#include "engine/rtl/printed.h"

namespace marquetry::hdl {

namespace {

using Json = nlohmann::ordered_json;

Json unitReport(const RtlPlan& plan, const UnitPlan& unit, const UnitNames& names) {
    const std::int64_t multipliers = unit.multipliers(plan.lanes);
    Json json = {{"name", unit.name},
                 {"module", names.module},
                 {"multipliers", multipliers},
                 {"weight_bits", multipliers * unit.weightBits},
                 {"weight_words", unit.weightWords},
                 {"cycles", unit.cycles},
                 {"layers", unit.layers}};
    if (unit.pairsRows)
        json["pairs_rows"] = true;
    return json;
}

void addWaits(const RtlPlan& plan, Json& json) {
    if (plan.memory)
        json["predicted_stalls"] = plan.waiting.total();
    if (plan.memory && plan.memory->writes)
        json["predicted_stalls_by_cause"] = {{"weights", plan.waiting.weights},
                                             {"loads", plan.waiting.loads},
                                             {"stores", plan.waiting.stores}};
}

std::string report(const RtlPlan& plan, const design::Schedule& schedule,
                   const std::vector<UnitNames>& names, const ExportClock& clock) {
    Json steps = Json::array();
    for (std::size_t i = 0; i < plan.stepNames.size(); ++i)
        steps.push_back({{"step", plan.stepNames[i]}, {"cycles", plan.stepCycles[i]}});
    Json units = Json::array();
    std::int64_t multipliers = 0;
    for (std::size_t u = 0; u < plan.units.size(); ++u) {
        const UnitPlan& unit = plan.units[u];
        if (unit.layers.empty())
            continue;
        units.push_back(unitReport(plan, unit, names[u]));
        multipliers += unit.multipliers(plan.lanes);
    }
    Json slots = Json::array();
    for (std::size_t s = 0; s < plan.slots.size(); ++s)
        if (plan.slots[s].used)
            slots.push_back({{"name", plan.slots[s].name},
                             {"words", schedule.slots[s].depth},
                             {"banks", plan.slots[s].banks},
                             {"bank_bits", plan.slots[s].bankBits},
                             {"memories", plan.slots[s].banks * plan.slots[s].memoriesPerBank},
                             {"memory_bits", plan.slots[s].memoryBits},
                             {"kind", plan.slots[s].lutRam ? "lutram" : "bram"}});
    Json json = {{"marquetry", kProgramVersion},
                 {"schema", 1},
                 {"program", schedule.name},
                 {"predicted_cycles", plan.cycles},
                 {"frames", plan.frames},
                 {"multipliers", multipliers},
                 {"steps", steps},
                 {"units", units},
                 {"slots", slots}};
    addWaits(plan, json);
    addClock(json, clock);
    return json.dump(1) + "\n";
}

Result<std::string> designText(const ExportRequest& request, const std::optional<AxiForm>& axi) {
    Json json = Json::object();
    if (!request.designJson.empty())
        json = Json::parse(request.designJson, nullptr, false);
    if (!json.is_object())
        return makeError("design-form", "the design is not a JSON object");
    json["program"] = request.program.name;
    json["program_file"] =
        request.programFiles.empty() ? "" : "program/" + request.programFiles.front().path;
    json["schedule"] = design::toJson(request.schedule);
    json.erase("control"); // a held design may have been behind another shell
    if (axi)
        json["control"] = toJson(*axi);
    return json.dump(1) + "\n";
}

/// Index: UnitId; of passes only the constants of elements.
std::vector<std::vector<std::int64_t>> packedWeights(const ExportRequest& request,
                                                     const std::vector<ir::Tensor>& values) {
    std::vector<std::vector<std::int64_t>> packed;
    for (const design::ScheduleUnit& unit : request.schedule.units)
        packed.push_back(design::packWeights(request.schedule, unit.id, request.program, values));
    return packed;
}

/// Index: UnitId.
std::vector<WriteBackContents> writeBackContents(const ExportRequest& request,
                                                 const std::vector<ir::Tensor>& values) {
    std::vector<WriteBackContents> contents;
    for (const design::ScheduleUnit& unit : request.schedule.units)
        contents.push_back({design::packScales(request.schedule, unit.id, values),
                            design::packTables(request.schedule, unit.id, values)});
    return contents;
}

/// The schedule, and the program with all that its files hold.
std::optional<AxiForm> axiFormOf(const ExportRequest& request) {
    if (request.form.interface != ExportInterface::Axi)
        return std::nullopt;
    std::string what = design::toJson(request.schedule).dump();
    for (const ProgramFile& file : request.programFiles)
        what += file.path + '\n' + file.bytes;
    return AxiForm{request.form.streamBits, {kBuildId, designHash(what)}};
}

ExportClock clockOf(const ExportRequest& request, const RtlPlan& plan,
                    const UnitCircuits& circuits) {
    std::vector<cost::ClockPath> paths = clockPaths(plan, circuits);
    if (request.form.interface == ExportInterface::Axi)
        paths.push_back(shellPath());
    return {request.device.clockMhz, cost::estimateClock(request.device.family, paths)};
}

struct Built : NamedHardware {
    std::vector<UnitNames> units;
    std::optional<DesignNames> plain{}; ///< of hardware without a shell
};

ReportHardware reportHardware(const Artefact& artefact, const Built& made) {
    return {artefact.netlist.top,     made.roles,    {}, made.units, made.plain,
            artefact.predictedCycles, artefact.clock};
}

Result<Built> built(const RtlPlan& plan, const DesignModules& design,
                    const std::optional<AxiForm>& axi, files::FolderFiles vectors, int count) {
    if (!axi) {
        rtl::Names names(design.top);
        const DesignNames known = namesOf(names, design.ports);
        auto units = unitNames(names, design);
        ProjectRoles roles = rolesOf(designBench(plan, known), kDesignVerilogBench, count);
        roles.benches.insert(roles.benches.begin(), {kDesignVerilatorBench, known.top, count});
        return Built{
            {std::move(names), designBenches(plan, known), std::move(roles), std::move(vectors)},
            std::move(units),
            known};
    }
    const ShellCore core = coreOf(plan, design.top, design.ports);
    auto shelled = shelledHardware(core, plan.name, designBench(plan, designNames(plan)), *axi,
                                   vectors, count);
    if (!shelled)
        return shelled.error();
    auto units = unitNames(shelled->names, design);
    return Built{*std::move(shelled), std::move(units)};
}

Status checkRequest(const ExportRequest& request) {
    if (Status known = checkForm(request.form, request.device, true); !known)
        return known;
    return check(request.schedule);
}

} // namespace

std::string commandOf(const ExportRequest& request) {
    const Json design = Json::parse(request.designJson, nullptr, false);
    const Json settings = design.is_object() ? design.value("settings", Json()) : Json();
    const bool holds = settings.is_object() && settings.contains("seed");
    const bool usual = holds ? settings["seed"] == request.seed : request.seed == 1;
    return commandAgain(
        request.form,
        {{}, request.vectors == kUsualVectors ? 0 : request.vectors, usual ? 0 : request.seed});
}

files::FolderFiles designBenches(const RtlPlan& plan, const DesignNames& names) {
    return {{kDesignVerilatorBench, writeVerilatorTestbench(plan, names)},
            {kDesignVerilogBench, writeAxisTestbench(designBench(plan, names))}};
}

Result<Artefact> designArtefact(const ExportRequest& request, std::stop_token stop) {
    if (Status known = checkRequest(request); !known)
        return known.error();
    const auto vectors = makeVectors(
        request.program, {request.vectors, request.seed, request.schedule.frames}, stop);
    if (!vectors)
        return vectors.error();
    const std::optional<AxiForm> axi = axiFormOf(request);
    auto design = designText(request, axi);
    if (!design)
        return design.error();
    const auto circuits = streamCircuits(request.schedule, request.program, request.circuits, stop);
    if (!circuits)
        return circuits.error();
    const RtlPlan plan = makePlan(request.schedule);
    const auto packed = packedWeights(request, vectors->values);
    auto hardware = built(plan,
                          designModules(request.schedule, packed, *circuits,
                                        writeBackContents(request, vectors->values)),
                          axi, vectorFiles(plan, *vectors), request.vectors);
    if (!hardware)
        return hardware.error();
    Artefact artefact;
    artefact.program = request.program.name;
    artefact.form = request.form;
    artefact.command = commandOf(request);
    artefact.netlist = printed(hardware->names, rtl::vendorOf(request.device.family));
    artefact.clock = clockOf(request, plan, *circuits);
    artefact.page = designReport(request, plan, reportHardware(artefact, *hardware), *design);
    artefact.benches = std::move(hardware->benches);
    artefact.vectors = std::move(hardware->vectors);
    if (plan.memory)
        artefact.memory["weights.bin"] = design::weightImage(request.schedule, packed);
    artefact.programFiles = request.programFiles;
    artefact.design = *std::move(design);
    artefact.report = report(plan, request.schedule, hardware->units, artefact.clock);
    artefact.predictedCycles = plan.cycles;
    return withProject(std::move(artefact), request.device, hardware->roles);
}

} // namespace marquetry::hdl
