#include "engine/artefact/export.h"

#include "engine/artefact/manifest.h"
#include "engine/artefact/testbench_writer.h"
#include "engine/artefact/vectors.h"
#include "engine/cost/buffer_cost.h"
#include "engine/design/schedule_json.h"
#include "engine/lower_design/lower_design.h"

namespace marquetry::hdl {

namespace {

using Json = nlohmann::ordered_json;

Json unitReport(const RtlPlan& plan, const UnitPlan& unit) {
    const std::int64_t multipliers = unit.multiplies() ? unit.parallel * plan.lanes : 0;
    return {{"name", unit.name},
            {"module", unit.module},
            {"multipliers", multipliers},
            {"weight_banks", multipliers * unit.weightBits / cost::kWeightBankBits},
            {"weight_words", unit.weightWords},
            {"cycles", unit.cycles},
            {"layers", unit.layers}};
}

std::string report(const RtlPlan& plan, const design::Schedule& schedule) {
    Json steps = Json::array();
    for (std::size_t i = 0; i < plan.stepNames.size(); ++i)
        steps.push_back({{"step", plan.stepNames[i]}, {"cycles", plan.stepCycles[i]}});
    Json units = Json::array();
    std::int64_t multipliers = 0;
    for (const UnitPlan& unit : plan.units) {
        if (unit.layers.empty())
            continue;
        units.push_back(unitReport(plan, unit));
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

void addNetlist(const Netlist& netlist, ExportFiles& files) {
    for (const Module& module : netlist.modules)
        files["rtl/" + module.name + ".v"] = module.verilog;
    for (const MemoryFile& memory : netlist.memories)
        files["rtl/" + memory.name] = memory.text;
}

} // namespace

Result<ExportReport> exportDesign(const ExportRequest& request, const ExportPlace& place,
                                  std::stop_token stop) {
    if (request.target != "verilog")
        return makeError("unknown-target", "there is no export target " + request.target,
                         "targets: verilog");
    if (Status status = check(request.schedule); !status)
        return status.error();
    const auto vectors = makeVectors(request.program, {request.vectors, request.seed}, stop);
    if (!vectors)
        return vectors.error();
    const auto design = designText(request);
    if (!design)
        return design.error();
    std::vector<std::vector<std::int64_t>> packed;
    for (const design::ScheduleUnit& unit : request.schedule.units)
        packed.push_back(unit.pass ? std::vector<std::int64_t>{}
                                   : design::packWeights(request.schedule, unit.id, request.program,
                                                         vectors->values));
    const auto circuits = streamCircuits(request.schedule, request.program, stop);
    if (!circuits)
        return circuits.error();
    const RtlPlan plan = makePlan(request.schedule);
    ExportFiles files;
    addNetlist(lowerDesign(request.schedule, packed, *circuits, request.vendor), files);
    files["tb/tb_verilator.cpp"] = writeVerilatorTestbench(plan);
    files["tb/tb_icarus.v"] = writeVerilogTestbench(plan);
    for (auto& [name, text] : vectorFiles(plan, *vectors))
        files["vectors/" + name] = std::move(text);
    for (const ProgramFile& file : request.programFiles)
        files["program/" + file.path] = file.bytes;
    files["DESIGN.json"] = *design;
    files["report.json"] = report(plan, request.schedule);
    if (stop.stop_requested())
        return makeError("cancelled", "the export was stopped");
    auto written = placeExport({request.program.name, request.target}, files, place);
    if (!written)
        return written.error();
    return ExportReport{
        place.folder, files.size() + 1, plan.cycles, {}, std::move(written->warnings)};
}

} // namespace marquetry::hdl
