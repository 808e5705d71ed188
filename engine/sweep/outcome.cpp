#include "engine/sweep/outcome.h"

#include "engine/device/device_file.h"
#include "engine/session/export_design.h"
#include "engine/session/schedule_stream.h"
#include "engine/sweep/json_members.h"

#include <algorithm>
#include <cmath>

namespace marquetry::sweep {

namespace {

using Json = nlohmann::ordered_json;
using extract::ExtractStatus;

template <class Value>
Json jsonOf(const std::optional<Value>& value) {
    return value ? Json(*value) : Json();
}

/// The hint says which throughputs there are instead.
Outcome noCircuit(const Diagnostic& reason) {
    Outcome outcome;
    outcome.status = toString(ExtractStatus::Infeasible);
    outcome.message = reason.message + (reason.hint.empty() ? "" : ": " + reason.hint);
    return outcome;
}

/// LUTs, registers and multipliers are whole, as `schedule` reports them.
device::Resources rounded(device::Resources area) {
    area.lut = std::round(area.lut);
    area.ff = std::round(area.ff);
    area.dsp = std::round(area.dsp);
    return area;
}

/// A datapath that is too large to be estimated in passing may be exported all the same.
void noteHardware(Outcome& outcome, const Result<cost::KernelEstimate>& estimate) {
    if (estimate) {
        outcome.exportable = true;
        outcome.resources = rounded(estimate->area);
        outcome.latency = estimate->latency * estimate->unit;
        outcome.pathPs = std::llround(estimate->pathDelay);
        return;
    }
    const Diagnostic& reason = estimate.error().front();
    if (reason.code != "too-large")
        outcome.exportable = false;
    outcome.message = reason.message;
}

/// The first circuit of the front, which is the one that `schedule` reports.
Outcome outcomeOfStream(const session::ScheduledStream& scheduled) {
    const spacetime::StreamSchedule& schedule = scheduled.schedule;
    Outcome outcome;
    outcome.status = toString(schedule.complete ? ExtractStatus::Optimal : ExtractStatus::Feasible);
    outcome.cycles = schedule.clocks;
    outcome.clockMhz = scheduled.device.clockMhz;
    outcome.resources = rounded(schedule.front[0].area);
    noteHardware(outcome, *scheduled.hardware[0]);
    return outcome;
}

Result<Outcome> scheduledAt(const ir::StreamProgram& stream, const GridPoint& point,
                            std::stop_token stop) {
    const double seconds =
        point.timeGiven ? point.settings.seconds : session::kUsualScheduleSeconds;
    const datapath::Deadline deadline = session::hardwareDeadline(point.timeGiven, seconds);
    auto device = device::findDevice(point.settings.device);
    if (!device)
        return device.error();
    device->clockMhz = point.settings.clockMhz.value_or(device->clockMhz);
    const auto rewrites = algebra::allWithout(point.settings.without);
    if (!rewrites)
        return rewrites.error();
    if (const Status priced = spacetime::checkDevice(*device); !priced)
        return priced.error();
    const auto scheduled =
        session::scheduleStream(stream, *point.throughput, *device,
                                {.seconds = seconds, .rewrites = *rewrites}, stop, deadline);
    if (!scheduled && stop.stop_requested())
        return scheduled.error();
    if (!scheduled)
        return noCircuit(scheduled.error().front());
    return outcomeOfStream(*scheduled);
}

} // namespace

Outcome outcomeOf(const session::Exploration& exploration) {
    const extract::ExtractResult& found = exploration.extraction;
    Outcome outcome;
    outcome.status = extract::toString(found.status);
    if (!found.design) {
        if (!found.infeasible.empty())
            outcome.message = found.infeasible.front().message;
        return outcome;
    }
    const design::Design& design = *found.design;
    const Status exportable = session::exportable(design);
    outcome.exportable = exportable.has_value();
    if (!exportable)
        outcome.message = exportable.error().front().message;
    outcome.cycles = design.cycles;
    outcome.frames = design.frames;
    outcome.lowerBound = static_cast<std::int64_t>(found.lowerBound);
    outcome.resources = design.resources;
    outcome.clockMhz = design.clockMhz;
    outcome.gops = design.gops;
    outcome.utilisation = design.utilisation;
    return outcome;
}

Result<Outcome> computed(const SweptItem& item, const GridPoint& point, std::stop_token stop) {
    if (point.throughput.has_value() != (item.kind() == frontend::ItemKind::Stream))
        return makeError("sweep-form", "the point is not one of '" + item.name() + "'",
                         "begin the sweep again, with its program and its grid");
    if (const auto* const stream = std::get_if<1>(&item.program))
        return scheduledAt(**stream, point, std::move(stop));
    const auto exploration =
        session::explore(std::get<0>(item.program), point.settings, {}, std::move(stop));
    if (!exploration)
        return exploration.error();
    return outcomeOf(*exploration);
}

Json toJson(const Outcome& outcome) {
    Json json = {{"status", outcome.status}, {"message", outcome.message}};
    if (!outcome.hasDesign())
        return json;
    json["exportable"] = jsonOf(outcome.exportable);
    json["cycles"] = outcome.cycles;
    json["frames"] = outcome.frames;
    json["cycles_per_frame"] = outcome.cyclesPerFrame();
    json["lower_bound"] = jsonOf(outcome.lowerBound);
    json["dsp"] = outcome.resources.dsp;
    json["bram"] = outcome.resources.bram;
    json["lut"] = outcome.resources.lut;
    json["ff"] = outcome.resources.ff;
    json["clock_mhz"] = outcome.clockMhz;
    json["gops"] = jsonOf(outcome.gops);
    json["utilisation"] = jsonOf(outcome.utilisation);
    if (outcome.latency)
        json["latency"] = *outcome.latency;
    if (outcome.pathPs)
        json["path_ps"] = *outcome.pathPs;
    return json;
}

Outcome outcomeFrom(const Json& json) {
    Outcome outcome;
    if (!json.is_object())
        return outcome;
    outcome.status = textIn(json, "status");
    outcome.message = textIn(json, "message");
    outcome.cycles = integerIn(json, "cycles").value_or(0);
    if (!outcome.hasDesign())
        return outcome;
    outcome.exportable = truthIn(json, "exportable");
    outcome.frames = std::max<std::int64_t>(1, integerIn(json, "frames").value_or(1));
    outcome.lowerBound = integerIn(json, "lower_bound");
    outcome.resources.dsp = numberIn(json, "dsp").value_or(0);
    outcome.resources.bram = numberIn(json, "bram").value_or(0);
    outcome.resources.lut = numberIn(json, "lut").value_or(0);
    outcome.resources.ff = numberIn(json, "ff").value_or(0);
    outcome.clockMhz = numberIn(json, "clock_mhz").value_or(0);
    outcome.gops = numberIn(json, "gops");
    outcome.utilisation = numberIn(json, "utilisation");
    outcome.latency = integerIn(json, "latency");
    outcome.pathPs = integerIn(json, "path_ps");
    return outcome;
}

} // namespace marquetry::sweep
