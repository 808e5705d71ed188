#include "engine/design/schedule_json.h"
#include "engine/session/design_file.h"
#include "engine/session/explore.h"
#include "engine/session/export_design.h"
#include "engine/support/json.h"
#include "engine/support/sha256.h"

#include <cmath>

namespace marquetry::session {

namespace {

using Json = nlohmann::ordered_json;

/// Whole numbers print without a fraction.
Json number(double value) {
    if (std::isfinite(value) && value == std::floor(value) && std::abs(value) < 9e15)
        return static_cast<std::int64_t>(value);
    return value;
}

Json resourcesJson(const device::Resources& resources) {
    return {{"dsp", number(resources.dsp)},
            {"lut", number(resources.lut)},
            {"ff", number(resources.ff)},
            {"bram", number(resources.bram)}};
}

/// Extents, then those of the windows: one where both axes have the same.
Json withWindow(Json dims, const ir::PerAxis& kernel) {
    dims.push_back(kernel.vertical);
    if (!kernel.isSquare())
        dims.push_back(kernel.horizontal);
    return dims;
}

Json dimsJson(const ir::UnitShape& shape) {
    switch (shape.function) {
    case ir::UnitFunction::Dot:
    case ir::UnitFunction::Mv:
        return {shape.rows, shape.cols};
    case ir::UnitFunction::Conv:
        return withWindow({shape.height, shape.width, shape.channels, shape.rows}, shape.kernel);
    case ir::UnitFunction::Map:
        return {shape.height, shape.width, shape.rows};
    case ir::UnitFunction::Mm:
        return {shape.height, shape.rows, shape.cols};
    case ir::UnitFunction::Bmm:
        return {shape.channels, shape.height, shape.rows, shape.cols};
    case ir::UnitFunction::Conv1DW:
        return withWindow({shape.height, shape.rows}, shape.kernel);
    case ir::UnitFunction::Conv1DH:
        return withWindow({shape.rows, shape.width}, shape.kernel);
    case ir::UnitFunction::DwConv:
        return withWindow({shape.height, shape.width, shape.rows}, shape.kernel);
    case ir::UnitFunction::Lanes:
        return Json::array({shape.rows});
    }
    return Json::array();
}

const char* functionName(ir::UnitFunction function) {
    switch (function) {
    case ir::UnitFunction::Dot:
        return "ParallelDot";
    case ir::UnitFunction::Mv:
        return "Mv";
    case ir::UnitFunction::Conv:
        return "Conv";
    case ir::UnitFunction::Map:
        return "Map";
    case ir::UnitFunction::Mm:
        return "Mm";
    case ir::UnitFunction::Bmm:
        return "Bmm";
    case ir::UnitFunction::Conv1DW:
        return "Conv1D_W";
    case ir::UnitFunction::Conv1DH:
        return "Conv1D_H";
    case ir::UnitFunction::DwConv:
        return "DwConv";
    case ir::UnitFunction::Lanes:
        return "LaneProducts";
    }
    return "Mv";
}

Json alternativeJson(const design::Alternative& other) {
    Json json = {{"what", other.what},
                 {"cycles", other.cycles},
                 {"dsp", number(other.dsp)},
                 {"cycles_more", other.cyclesMore},
                 {"dsp_more", number(other.dspMore)},
                 {"proven", other.exact}};
    if (other.broken)
        json["breaks"] = {{"limit", toString(*other.broken)}, {"needs", number(other.needs)}};
    return json;
}

Json whyJson(const design::Explanation& why) {
    Json json = {{"terms", Json::array()}, {"alternatives", Json::array()}};
    for (const design::CostTerm& term : why.terms)
        json["terms"].push_back({{"name", term.name},
                                 {"value", number(term.value)},
                                 {"unit", term.unit},
                                 {"formula", term.formula}});
    for (const design::Alternative& other : why.alternatives)
        json["alternatives"].push_back(alternativeJson(other));
    json["opposite"] = why.opposite ? alternativeJson(*why.opposite) : Json();
    json["counterfactual"] = why.counterfactual;
    return json;
}

Json unitJson(const design::Design& design, const design::DesignUnit& unit) {
    Json json = {{"id", unit.name},
                 {"skeleton", functionName(unit.shape.function)},
                 {"dims", dimsJson(unit.shape)},
                 {"parallelism", unit.parallelism},
                 {"lanes", unit.lanes},
                 {"write_lanes", unit.writeLanes > 0 ? Json(unit.writeLanes) : Json()},
                 {"multipliers", unit.multipliers}};
    json.update(resourcesJson(unit.resources));
    json["shared"] = unit.shared;
    if (unit.streams)
        json["streams"] = true;
    json["busy"] = unit.busy;
    json["utilisation"] = unit.multipliers > 0 ? Json(unit.utilisation) : Json();
    json["term"] = unit.term;
    json["call_sites"] = Json::array();
    for (design::CallId call : unit.callSites)
        json["call_sites"].push_back(design.call(call).layer);
    json["why"] = whyJson(unit.why);
    return json;
}

Json callJson(const design::Design& design, const design::DesignCall& call) {
    Json loops = Json::array();
    for (const design::Loop& loop : call.loops)
        loops.push_back({{"term", loop.term}, {"count", loop.count}, {"parallel", loop.parallel}});
    return {{"layer", call.layer},
            {"unit", design.unit(call.unit).name},
            {"loops", std::move(loops)},
            {"cycles", call.cycles},
            {"overlap", call.overlap},
            {"macs", call.macs},
            {"memory_bound", call.memoryBound}};
}

Json bufferJson(const design::DesignBuffer& buffer) {
    return {{"name", buffer.name},         {"kind", toString(buffer.kind)},
            {"words", buffer.words},       {"width", buffer.width},
            {"banks", buffer.banks},       {"scheme", buffer.scheme},
            {"memories", buffer.memories}, {"memory_bits", buffer.memoryBits},
            {"bram", number(buffer.bram)}, {"lut", number(buffer.lut)},
            {"ff", number(buffer.ff)},     {"weights", buffer.weights}};
}

Json candidateJson(const design::SharingCandidate& candidate) {
    return {{"unit", candidate.name},
            {"call_sites", candidate.callSites},
            {"shared", candidate.shared},
            {"forbidden", candidate.forbidden},
            {"saved_dsp", number(candidate.savedDsp)},
            {"extra_cycles", candidate.extraCycles},
            {"utilisation", candidate.utilisation},
            {"reason", candidate.reason}};
}

Json designToJson(const design::Design& design) {
    Json json = {{"units", Json::array()}, {"calls", Json::array()}, {"buffers", Json::array()}};
    for (const design::DesignUnit& unit : design.units)
        json["units"].push_back(unitJson(design, unit));
    for (const design::DesignCall& call : design.calls)
        json["calls"].push_back(callJson(design, call));
    for (const design::DesignBuffer& buffer : design.buffers)
        json["buffers"].push_back(bufferJson(buffer));
    json["resources"] = resourcesJson(design.resources);
    json["cycles"] = design.cycles;
    json["frames"] = design.frames;
    json["cycles_per_frame"] = number(design.cyclesPerFrame());
    if (design.schedule && design.schedule->groups > 1)
        json["frame_groups"] = design.schedule->groups;
    json["transfer_cycles"] = design.transferCycles;
    for (const design::LayerBands& bands : design.bands)
        json["bands"].push_back({{"first", design.calls[bands.first].layer},
                                 {"last", design.calls[bands.last].layer},
                                 {"rows", bands.rows}});
    if (!design.outside.empty())
        json["external_values"] = design.outside;
    json["clock_mhz"] = number(design.clockMhz);
    json["gops"] = design.gops;
    json["macs"] = design.macs;
    json["utilisation"] = design.utilisation ? Json(*design.utilisation) : Json();
    json["lanes"] = design.lanes;
    json["grouped_channels"] = design.groupedChannels;
    json["exportable"] = exportable(design).has_value();
    json["candidates"] = Json::array();
    for (const design::SharingCandidate& candidate : design.candidates)
        json["candidates"].push_back(candidateJson(candidate));
    return json;
}

Json diagnosticsJson(const Diagnostics& diagnostics) {
    Json json = Json::array();
    for (const Diagnostic& diagnostic : diagnostics)
        json.push_back({{"code", diagnostic.code},
                        {"message", diagnostic.message},
                        {"hint", diagnostic.hint},
                        {"notes", diagnostic.notes}});
    return json;
}

Json limitsJson(const Exploration& exploration) {
    Json limits = resourcesJson(exploration.setup.limits);
    if (exploration.setup.extraction.cyclesLimit)
        limits["cycles"] = number(*exploration.setup.extraction.cyclesLimit);
    return limits;
}

const char* stopName(egraph::StopReason outcome) {
    switch (outcome) {
    case egraph::StopReason::Saturated:
        return "saturated";
    case egraph::StopReason::IterationLimit:
        return "iterations";
    case egraph::StopReason::NodeLimit:
        return "nodes";
    case egraph::StopReason::TimeLimit:
        return "time";
    case egraph::StopReason::MemoryLimit:
        return "memory";
    case egraph::StopReason::Cancelled:
        return "cancelled";
    }
    return "saturated";
}

Json milpJson(const extract::MilpResult& milp) {
    const auto finite = [](double value) { return std::isfinite(value) ? number(value) : Json(); };
    return {{"outcome", milp::toString(milp.outcome)},
            {"time", finite(milp.time)},
            {"bound", finite(milp.bound)},
            {"dsp", number(milp.dsp)},
            {"variables", milp.stats.variables},
            {"rows", milp.stats.rows},
            {"nodes", milp.stats.solve.nodes},
            {"seconds", milp.stats.solve.seconds}};
}

Json importedJson(const ir::Program& program, const ir::LayerPlan& plan) {
    Json json = Json::array();
    for (const ir::Layer& layer : plan.layers)
        for (const ir::ImportedValue* part : ir::importedValues(program, layer))
            json.push_back({{"layer", layer.name},
                            {"node", part->node},
                            {"op", part->op},
                            {"tensor", part->tensor},
                            {"scale", part->scale},
                            {"factor", part->factor},
                            {"proof", part->proof}});
    return json;
}

Json explorationJson(const Exploration& exploration) {
    const egraph::EGraph& egraph = *exploration.lowered->egraph;
    const extract::ExtractResult& result = exploration.extraction;
    Json json = {{"program", exploration.program->name},
                 {"device", exploration.setup.device.id},
                 {"cost", toString(exploration.choices.settings.cost)},
                 {"objective", toString(exploration.choices.settings.objective)},
                 {"units_of_lut", exploration.setup.device.lutUnit},
                 {"units_of_bram", exploration.setup.device.ramKind},
                 {"limits", limitsJson(exploration)}};
    json["egraph"] = {{"enodes", egraph.enodeCount()},
                      {"eclasses", egraph.eclassCount()},
                      {"iterations", exploration.iterations.size()},
                      {"stop", stopName(exploration.outcome)},
                      {"saturate_ms", exploration.saturateMs}};
    json["extract"] = {{"status", toString(result.status)},
                       {"cycles", result.design ? Json(result.design->cycles) : Json()},
                       {"lower_bound", number(result.lowerBound)},
                       {"gap", result.gap},
                       {"ms", result.milliseconds}};
    if (result.outOfTime)
        json["extract"]["stop"] = "time";
    if (result.milp)
        json["milp"] = milpJson(*result.milp);
    json["design"] = result.design ? designToJson(*result.design) : Json();
    json["front"] = Json::array();
    for (const design::DesignPoint& point : result.points)
        if (point.onFront)
            json["front"].push_back({{"cycles", point.cycles},
                                     {"frames", point.frames},
                                     {"cycles_per_frame", number(point.cyclesPerFrame())},
                                     {"dsp", number(point.resources.dsp)},
                                     {"lut", number(point.resources.lut)},
                                     {"bram", number(point.resources.bram)},
                                     {"label", point.label}});
    json["infeasible_because"] = diagnosticsJson(result.infeasible);
    if (!exploration.program->imported.empty())
        json["imported"] = importedJson(*exploration.program, exploration.lowered->plan);
    return json;
}

} // namespace

std::string exploreJson(const Exploration& exploration) {
    return explorationJson(exploration).dump(2, ' ', false, Json::error_handler_t::replace);
}

std::string designJson(const design::Design& design, const ir::Program& program,
                       const std::optional<DesignChoices>& choices) {
    Json json = {
        {"program", program.name},
        {"device", design.device},
        {"cost", toString(design.model)},
        {"source", {{"file", program.file}, {"item", program.name}, {"sha256", hashOf(program)}}}};
    if (choices)
        json.update(toJson(*choices));
    json["design"] = designToJson(design);
    json["design_sha256"] = hashOfDesign(json);
    if (design.schedule) {
        json["schedule"] = design::toJson(*design.schedule);
        json["schedule_sha256"] = sha256(json["schedule"].dump());
    }
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace marquetry::session
