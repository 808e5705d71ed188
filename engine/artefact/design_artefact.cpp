#include "engine/artefact/design_artefact.h"

#include "engine/artefact/testbench_writer.h"
#include "engine/artefact/vectors.h"
#include "engine/cost/buffer_cost.h"
#include "engine/design/schedule_json.h"
#include "engine/lower_design/lower_design.h"

namespace marquetry::hdl {

namespace {

using Json = nlohmann::ordered_json;

Json unitReport(const RtlPlan& plan, const UnitPlan& unit, const UnitNames& names) {
    const std::int64_t multipliers = unit.multiplies() ? unit.parallel * plan.lanes : 0;
    return {{"name", unit.name},
            {"module", names.module},
            {"multipliers", multipliers},
            {"weight_banks", multipliers * unit.weightBits / cost::kWeightBankBits},
            {"weight_words", unit.weightWords},
            {"cycles", unit.cycles},
            {"layers", unit.layers}};
}

std::string report(const RtlPlan& plan, const design::Schedule& schedule,
                   const std::vector<UnitNames>& names) {
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
        multipliers += unit.multiplies() ? unit.parallel * plan.lanes : 0;
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
    const Json json = {{"marquetry", "0.1.0"},
                       {"schema", 1},
                       {"program", schedule.name},
                       {"predicted_cycles", plan.cycles},
                       {"multipliers", multipliers},
                       {"steps", steps},
                       {"units", units},
                       {"slots", slots}};
    return json.dump(1) + "\n";
}

Result<std::string> designText(const ExportRequest& request) {
    Json json = Json::object();
    if (!request.designJson.empty())
        json = Json::parse(request.designJson, nullptr, false);
    if (!json.is_object())
        return makeError("design-form", "the design is not a JSON object");
    json["program"] = request.program.name;
    json["program_file"] =
        request.programFiles.empty() ? "" : "program/" + request.programFiles.front().path;
    json["schedule"] = design::toJson(request.schedule);
    return json.dump(1) + "\n";
}

/// Index: UnitId; nothing of units without multipliers.
std::vector<std::vector<std::int64_t>> packedWeights(const ExportRequest& request,
                                                     const std::vector<ir::Tensor>& values) {
    std::vector<std::vector<std::int64_t>> packed;
    for (const design::ScheduleUnit& unit : request.schedule.units)
        packed.push_back(
            unit.pass ? std::vector<std::int64_t>{}
                      : design::packWeights(request.schedule, unit.id, request.program, values));
    return packed;
}

} // namespace

files::FolderFiles designBenches(const RtlPlan& plan, const DesignNames& names) {
    return {{kDesignVerilatorBench, writeVerilatorTestbench(plan, names)},
            {kDesignVerilogBench, writeVerilogTestbench(plan, names)}};
}

Result<Artefact> designArtefact(const ExportRequest& request, std::stop_token stop) {
    if (Status known = checkTarget(request.target); !known)
        return known.error();
    if (Status status = check(request.schedule); !status)
        return status.error();
    const auto vectors = makeVectors(request.program, {request.vectors, request.seed}, stop);
    if (!vectors)
        return vectors.error();
    auto design = designText(request);
    if (!design)
        return design.error();
    const auto circuits = streamCircuits(request.schedule, request.program, request.circuits, stop);
    if (!circuits)
        return circuits.error();
    const RtlPlan plan = makePlan(request.schedule);
    Artefact artefact;
    artefact.program = request.program.name;
    artefact.target = request.target;
    DesignHardware hardware = lowerDesign(request.schedule, packedWeights(request, vectors->values),
                                          *circuits, request.vendor);
    artefact.netlist = std::move(hardware.netlist);
    artefact.benches = designBenches(plan, hardware.names);
    artefact.vectors = vectorFiles(plan, *vectors);
    artefact.programFiles = request.programFiles;
    artefact.design = *std::move(design);
    artefact.report = report(plan, request.schedule, hardware.units);
    artefact.predictedCycles = plan.cycles;
    return artefact;
}

} // namespace marquetry::hdl
