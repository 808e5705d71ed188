#include "engine/artefact/imported_section.h"
#include "engine/artefact/json_fields.h"
#include "engine/artefact/product_reports.h"
#include "engine/artefact/report_drawing.h"
#include "engine/design/ledger_table.h"
#include "engine/design/make_ledger.h"
#include "engine/design/weight_image.h"
#include "engine/support/json_depth.h"
#include "engine/support/numbers.h"

#include <algorithm>
#include <array>
#include <set>
#include <variant>

namespace marquetry::hdl {

namespace {

using Json = nlohmann::ordered_json;
using Cells = std::vector<std::vector<std::string>>;

Json member(const Json& json, const char* name) {
    return json.is_object() && json.contains(name) ? json[name] : Json();
}

/// Nothing where there is no number.
std::optional<double> numberIn(const Json& json, const char* name) {
    const Json value = member(json, name);
    return value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
}

struct DesignReporter {
    const ExportRequest& request;
    const RtlPlan& plan;
    const ReportHardware& hardware;
    Json json;

    Json found() const { return member(json, "design"); }
    Json resources() const { return member(found(), "resources"); }

    std::int64_t multipliers() const {
        std::int64_t sum = 0;
        for (const UnitPlan& unit : plan.units)
            sum += unit.layers.empty() ? 0 : unit.multipliers(plan.lanes);
        return sum;
    }

    std::string multipliersBasis() const {
        const bool pairs = std::ranges::any_of(plan.units, &UnitPlan::pairsRows);
        return cat(kExact, ": rows times lanes",
                   pairs ? "; those of two rows with factors of 8 bits share a DSP block" : "");
    }

    PageSection built() const {
        Cells rows = {{"item", request.program.name}, {"top module", hardware.top}};
        for (auto& row : deviceRows(textField(json, "device")))
            rows.push_back(std::move(row));
        const Json settings = member(json, "settings");
        if (settings.is_object())
            for (const auto& [name, value] : settings.items())
                if (name != "device")
                    rows.push_back({"setting " + name, value.dump()});
        const Json pins = member(json, "pins");
        if (pins.is_array() && !pins.empty())
            rows.push_back({"pins", pins.dump()});
        return {"What was built", {ReportTable{{"", ""}, rows}}};
    }

    void addArea(Cells& rows, const char* name, const std::string& label,
                 const std::string& basis) const {
        if (const auto value = numberIn(resources(), name))
            rows.push_back({label, roundedText(*value), basis});
    }

    PageSection figures() const {
        Cells rows = {
            {"clocks from start to done", std::to_string(plan.cycles),
             cat(kExact, ": the pipelines are as long as the model says; clocks in which a stream "
                         "waits are not counted")},
            {"multipliers", std::to_string(multipliers()), multipliersBasis()}};
        if (const auto clock = numberIn(found(), "clock_mhz"); clock && *clock > 0) {
            rows.push_back({"clock, MHz", numberText(*clock),
                            cat(kAssumed, ": asked for, or of the device's file; no tool has "
                                          "routed this design")});
            rows.push_back({"time of a run, µs",
                            roundedText(static_cast<double>(plan.cycles) / *clock),
                            "exact clocks at the assumed clock"});
        }
        for (auto& row : clockRows(hardware.clock))
            rows.push_back(std::move(row));
        addArea(rows, "dsp", "DSP blocks",
                cat(kExact, " on Xilinx parts, which is compared with Yosys; converted by the "
                            "products per block elsewhere"));
        addArea(rows, "bram", "block RAMs", "counted by the shapes that the device has");
        addArea(rows, "lut", "LUTs", "estimated per part, not fitted to whole designs");
        addArea(rows, "ff", "flip-flops", "estimated per part, not fitted to whole designs");
        for (auto& row : shellRows(hardware.roles.control))
            rows.push_back(std::move(row));
        return {"Figures, and what they rest on",
                {ReportTable{{"figure", "value", "basis"}, std::move(rows)}}};
    }

    bool streams(std::size_t step) const {
        const auto isStep = [step](const StreamPlan& stream) {
            return std::ranges::find(stream.parts, step, &StreamPart::step) != stream.parts.end();
        };
        return std::ranges::any_of(plan.loads, isStep) || std::ranges::any_of(plan.stores, isStep);
    }

    /// Steps that are joined to the one before begin before its end.
    ReportDrawing drawing() const {
        std::vector<std::string> rows;
        std::vector<DrawnStep> steps;
        const auto rowOf = [&](const std::string& name) {
            const auto at = std::ranges::find(rows, name) - rows.begin();
            if (at == std::ssize(rows))
                rows.push_back(name);
            return static_cast<std::size_t>(at);
        };
        std::int64_t end = 0;
        std::int64_t begin = 0;
        std::optional<std::int64_t> joined;
        for (std::size_t i = 0; i < plan.stepNames.size(); ++i) {
            const auto compute = std::ranges::find(plan.computes, i, &StepPlan::step);
            const bool computes = compute != plan.computes.end();
            begin = joined ? begin + *joined : end;
            end += plan.stepCycles[i];
            const std::size_t row = rowOf(computes     ? plan.units[compute->unit].name
                                          : streams(i) ? "streams"
                                                       : "moves and rows");
            steps.push_back({row, plan.stepNames[i], begin, end});
            joined = computes ? compute->followedAfter : std::nullopt;
        }
        return stepsOverTime(rows, steps, std::max<std::int64_t>(plan.cycles, 1));
    }

    PageSection schedule() const {
        Cells steps;
        for (std::size_t i = 0; i < plan.stepNames.size(); ++i)
            steps.push_back(
                {std::to_string(i), plan.stepNames[i], std::to_string(plan.stepCycles[i])});
        Cells units;
        for (std::size_t u = 0; u < plan.units.size(); ++u) {
            const UnitPlan& unit = plan.units[u];
            if (unit.layers.empty())
                continue;
            std::string layers;
            for (const std::string& layer : unit.layers)
                layers += (layers.empty() ? "" : ", ") + layer;
            units.push_back(
                {unit.name, hardware.units[u].module, std::to_string(unit.multipliers(plan.lanes)),
                 std::to_string(unit.weightWords), std::to_string(unit.cycles), layers});
        }
        Cells slots;
        for (std::size_t s = 0; s < plan.slots.size(); ++s) {
            const SlotPlan& slot = plan.slots[s];
            if (slot.used)
                slots.push_back({slot.name, std::to_string(request.schedule.slots[s].depth),
                                 std::to_string(slot.banks), std::to_string(slot.bankBits),
                                 slot.lutRam ? "LUT RAM" : "block RAM"});
        }
        if (plan.memory)
            slots.push_back({"weight queue", std::to_string(plan.memory->queueBeats), "1",
                             std::to_string(plan.memory->beatBits), "block RAM"});
        return {"Units, steps and memories",
                {drawing(),
                 ReportTable{{"unit", "module", "multipliers", "weight words", "clocks", "layers"},
                             std::move(units)},
                 ReportTable{{"step", "what", "clocks"}, std::move(steps)},
                 ReportTable{{"memory", "words", "banks", "bits of a bank", "kind"},
                             std::move(slots)}}};
    }

    /// What each layer's clocks go to, as `marquetry ledger` has it. The file says how many
    /// multiplications a call needs.
    PageSection layers() const {
        design::Design scheduled;
        scheduled.schedule = request.schedule;
        const Json calls = member(found(), "calls");
        for (const Json& call : calls.is_array() ? calls : Json::array()) {
            design::DesignCall& made = scheduled.calls.emplace_back();
            made.layer = textField(call, "layer");
            made.macs = static_cast<std::int64_t>(numberIn(call, "macs").value_or(0));
        }
        const design::Ledger ledger = design::makeLedger(scheduled, request.device, {});
        Cells rows;
        for (const design::LedgerRow& layer : ledger.layers) {
            Cells::value_type& row = rows.emplace_back();
            for (const auto field : kLayerFields)
                row.push_back(shown(cellOf(ledger, layer, field)));
        }
        std::vector<std::string> titles;
        for (const auto field : kLayerFields)
            titles.emplace_back(
                std::ranges::find(design::ledgerColumns(), field, &design::LedgerColumn::field)
                    ->title);
        return {"Where the clocks go",
                {ReportText{"What each layer's clocks are spent on most, and its part of the "
                            "run. `marquetry ledger` tells more."},
                 ReportTable{std::move(titles), std::move(rows)}}};
    }

    static constexpr std::array kLayerFields{
        design::LedgerField::Name,   design::LedgerField::What,   design::LedgerField::Unit,
        design::LedgerField::Bound,  design::LedgerField::Cycles, design::LedgerField::Share,
        design::LedgerField::Waiting};

    static std::string shown(const design::LedgerCell& cell) {
        if (const auto* text = std::get_if<std::string>(&cell))
            return *text;
        if (const auto* whole = std::get_if<std::int64_t>(&cell))
            return std::to_string(*whole);
        const auto* number = std::get_if<double>(&cell);
        return number != nullptr ? roundedText(*number) : std::string();
    }

    static std::string contentOf(const StreamPlan& stream) {
        return cat(stream.perBeat, " elements of ", stream.elementBits,
                   " bits, the first lowest; the last beat is filled up with zeros");
    }

    /// Of hardware with ports for them.
    static ReportPart startAndDone(const DesignNames& names, std::int64_t cycles) {
        return waveform("Start and done",
                        cat(names.start, " is seen while ", names.busy, " is low. ", names.done,
                            " stays high from the end of a run to the next start, and ",
                            names.cycles, " keeps the clocks of the run."),
                        {{names.clock, "p......"},
                         {names.start, "010|..."},
                         {names.busy, "0.1|.0."},
                         {names.done, "0..|.1."},
                         {names.cycles, "x.=|.=.", {"counting", std::to_string(cycles)}}});
    }

    ReportPart externalWeights(const WeightPorts<std::string>& names) const {
        const MemoryPort& port = *plan.memory;
        const std::int64_t beatBytes = port.beatBits / 8;
        const std::int64_t burstBytes = design::kBurstBeats * beatBytes;
        const std::int64_t stored = port.imageBursts - port.residentBursts;
        const std::string again = cat(", some of them again for every ",
                                      plan.frames > 1 ? "group of frames" : "band of rows", ", ",
                                      port.runBursts * burstBytes, " bytes in all");
        return ReportText{
            cat("External weights: memory/weights.bin is to lie at the address ", names.base,
                ", a multiple of 4096. The AXI4 master with ", names.axi.araddr, " reads ",
                port.residentBursts * burstBytes,
                " bytes of it behind the first start, and behind the first one after a pulse of ",
                names.reload, "; every run reads the ", stored * burstBytes, " bytes behind them",
                port.runBursts > stored ? again : "", ", in bursts of ", design::kBurstBeats,
                " beats of ", beatBytes, " bytes. On a memory of ",
                static_cast<double>(port.milliBytesPerClock) / 1000,
                " bytes a clock whose first beat comes after ", port.latency, " clocks, ",
                plan.waiting.total(), " of the ", plan.cycles, " clocks of a run wait for ",
                port.writes ? "it; " : "weights; ", names.stalls, " counts them",
                waitsByCause(names), ". A read that is answered with an error sets error.",
                port.writes ? externalTensors() : "")};
    }

    std::string waitsByCause(const WeightPorts<std::string>& names) const {
        if (!plan.memory->writes)
            return "";
        return cat(": ", plan.waiting.weights, " for weights, ", plan.waiting.loads,
                   " for activations to come, which ", names.stallsLoads, " counts, and ",
                   plan.waiting.stores, " for some to be taken, which ", names.stallsStores,
                   " counts");
    }

    std::string externalTensors() const {
        std::set<std::string> values;
        for (const StreamPlan& store : plan.externalStores)
            values.insert(store.port);
        return cat(" Behind the weights are zeros up to byte ", plan.memory->imageBytes,
                   ", where runs keep activations: the hardware writes ", values.size(),
                   values.size() == 1 ? " value" : " values",
                   " there and reads them back. A write that is answered with an error sets "
                   "error.");
    }

    PageSection interfaces() const {
        std::vector<std::string> contents;
        for (const auto* streams : {&plan.loads, &plan.stores})
            for (const StreamPlan& stream : *streams)
                contents.push_back(contentOf(stream));
        const ProjectRoles& roles = hardware.roles;
        PageSection section{
            "Interfaces",
            {ReportText{cat("One clock, ", roles.clock, ", and a synchronous reset, ", roles.reset,
                            ", low when active.")}}};
        if (hardware.names) {
            section.parts.push_back(
                ReportText{cat(hardware.names->error,
                               " is high when tlast of an input came too early or too late, until "
                               "the next start.")});
            section.parts.push_back(startAndDone(*hardware.names, plan.cycles));
            if (hardware.names->memory)
                section.parts.push_back(externalWeights(*hardware.names->memory));
        } else {
            section.parts.push_back(ReportText{"Frames are started by the registers below."});
        }
        const std::vector<int> widths(roles.streams.size(), 64);
        for (ReportPart& part : axisParts(reportStreams(roles.streams, widths, contents)))
            section.parts.push_back(std::move(part));
        return section;
    }

    PageSection proofs() const {
        Cells rows;
        for (const Json& unit : member(found(), "units")) {
            std::int64_t proven = 0;
            std::int64_t all = 0;
            for (const Json& other : member(member(unit, "why"), "alternatives")) {
                ++all;
                proven += member(other, "proven") == true ? 1 : 0;
            }
            rows.push_back(
                {textField(unit, "id"), textField(unit, "term"), cat(proven, " of ", all)});
        }
        PageSection section{
            "What is proved",
            {ReportText{
                "Each unit is a term that rewriting made of its layers as they were written; each "
                "rule is tested against the reference interpreter, and the proof of each layer is "
                "shown by the window, where the e-graph is. This export holds the outcome, not "
                "the proofs."}}};
        if (!rows.empty())
            section.parts.push_back(ReportTable{
                {"unit", "term", "next best designs that are proven best of their kind"},
                std::move(rows)});
        return section;
    }

    ReportPage page() const {
        ReportPage page;
        page.title = request.program.name + ": a design";
        page.summary = cat("Hardware of the design ", request.program.name, ": ", multipliers(),
                           " multipliers, ", plan.cycles, " clocks a run.");
        page.sections = {
            built(),
            figures(),
            layers(),
            schedule(),
            picturesSection(request.extras, {"Sharing", "Front"}),
            interfaces(),
            registersSection(hardware.roles.control),
            proofs(),
            verifiedSection(
                "simulates this hardware with random inputs, gaps and back-pressure on the "
                "streams, compares every word of the outputs with the reference interpreter, and "
                "the clocks with the figure above."),
            reproduceSection(commandOf(request))};
        if (auto imported = importedSection(request.program))
            page.sections.insert(page.sections.end() - 3, *std::move(imported));
        return page;
    }
};

} // namespace

ReportPage designReport(const ExportRequest& request, const RtlPlan& plan,
                        const ReportHardware& hardware, const std::string& design) {
    return DesignReporter{request, plan, hardware, parsedJson(design)}.page();
}

} // namespace marquetry::hdl
