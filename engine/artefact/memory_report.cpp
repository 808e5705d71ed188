#include "engine/artefact/json_fields.h"
#include "engine/artefact/product_reports.h"
#include "engine/artefact/report_drawing.h"
#include "engine/banking/cost_calibration.h"
#include "engine/support/json_depth.h"
#include "engine/support/numbers.h"

#include <algorithm>

namespace marquetry::hdl {

namespace {

using Json = nlohmann::ordered_json;
using Cells = std::vector<std::vector<std::string>>;

std::string listText(const std::vector<std::int64_t>& numbers) {
    std::string text;
    for (const std::int64_t number : numbers)
        text += (text.empty() ? "" : " × ") + std::to_string(number);
    return text;
}

std::string calibrated(double meanError) {
    return cat("calibrated: off by ", percentText(meanError),
               " on average on memories that nothing was fitted to, against Yosys for the 7 "
               "series");
}

struct MemoryReporter {
    const MemoryExportRequest& request;
    const ExportClock& clock;
    Json json;

    const BankedMemory& memory() const { return request.memory; }
    const banking::Scheme& scheme() const { return memory().scheme; }

    PageSection built() const {
        Cells rows = {{"item", request.item}, {"top module", memory().names.top}};
        for (auto& row : deviceRows(textField(json, "device")))
            rows.push_back(std::move(row));
        rows.push_back({"array", cat(listText(memory().pattern.dims), " words of ",
                                     memory().pattern.bits, " bits")});
        rows.push_back({"scheme", scheme().text()});
        return {"What was built", {ReportTable{{"", ""}, std::move(rows)}}};
    }

    void addArea(Cells& rows, const char* name, const std::string& label,
                 const std::string& basis) const {
        const Json area = json.is_object() ? json.value("resources", Json()) : Json();
        if (area.is_object() && area.contains(name) && area[name].is_number())
            rows.push_back({label, roundedText(area[name].get<double>()), basis});
    }

    PageSection figures() const {
        Cells rows = {{"banks of a copy", std::to_string(scheme().banks()), kExact},
                      {"copies", std::to_string(scheme().copies), kExact},
                      {"words of a bank", std::to_string(scheme().depth), kExact},
                      {"words in all", std::to_string(scheme().words), kExact},
                      {"clocks from a step to what its readers give", "1", kExact}};
        addArea(rows, "lut", "LUTs", calibrated(banking::kHeldOutLutError));
        addArea(rows, "ff", "flip-flops", calibrated(banking::kHeldOutFfError));
        addArea(rows, "bram", "block RAMs", "counted by the shapes that the device has");
        addArea(rows, "dsp", "DSP blocks", kExact);
        for (auto& row : clockRows(clock))
            rows.push_back(std::move(row));
        return {"Figures, and what they rest on",
                {ReportTable{{"figure", "value", "basis"}, std::move(rows)}}};
    }

    /// A corner of the last two dimensions, at the beginning of the others.
    ReportDrawing drawing() const {
        constexpr std::int64_t kMostRows = 12;
        constexpr std::int64_t kMostColumns = 20;
        const ir::Shape& dims = memory().pattern.dims;
        const std::size_t rank = dims.size();
        const std::int64_t rows = rank > 1 ? std::min(dims[rank - 2], kMostRows) : 1;
        const std::int64_t columns = std::min(dims[rank - 1], kMostColumns);
        std::vector<std::vector<std::int64_t>> banks;
        for (std::int64_t r = 0; r < rows; ++r) {
            banks.emplace_back();
            for (std::int64_t c = 0; c < columns; ++c) {
                banking::Address x(rank, 0);
                if (rank > 1)
                    x[rank - 2] = r;
                x[rank - 1] = c;
                banks.back().push_back(scheme().bank(x));
            }
        }
        const bool whole = rank <= 2 && columns == dims[rank - 1] && (rank < 2 || rows == dims[0]);
        return banksOf(banks, cat(whole ? "The bank of each element"
                                        : "The bank of each element of a corner of the array",
                                  "; rows are ", rank > 1 ? "the dimension before the last" : "all",
                                  ", columns the last one."));
    }

    PageSection lanes() const {
        Cells rows;
        for (const BankedLane& lane : memory().lanes)
            rows.push_back({lane.name, lane.hardware.write ? "write" : "read",
                            memory().pattern.laneText(lane.hardware.group, lane.hardware.lane),
                            std::to_string(lane.hardware.seen)});
        return {"Banks and lanes",
                {drawing(), ReportTable{{"lane", "kind", "access", "banks that it may reach"},
                                        std::move(rows)}}};
    }

    /// The first lane of the kind that the nest has; null: none.
    const BankedLane* laneOf(std::size_t nest, bool write) const {
        const auto lane = std::ranges::find_if(memory().lanes, [&](const BankedLane& each) {
            return each.hardware.write == write && memory().names.lanes.contains(each.name) &&
                   memory().pattern.groups[each.hardware.group].nest == nest;
        });
        return lane == memory().lanes.end() ? nullptr : &*lane;
    }

    /// Two iterations of the first nest, with a writer and a reader of its.
    std::vector<WaveSignal> iterations() const {
        const MemoryNames& names = memory().names;
        std::vector<WaveSignal> signals = {{names.clock, "p....."}};
        if (!names.steps.empty())
            signals.push_back({names.steps.front(), "01.0.."});
        if (const BankedLane* const writer = laneOf(0, true)) {
            const LaneNames& ports = names.lanes.at(writer->name);
            signals.push_back({ports.enable, "010..."});
            signals.push_back({ports.data, "x=x...", {"w"}});
        }
        if (const BankedLane* const reader = laneOf(0, false)) {
            const LaneNames& ports = names.lanes.at(reader->name);
            if (!ports.enable.empty())
                signals.push_back({ports.enable, "01.0.."});
            for (const std::string& at : ports.at)
                if (!at.empty())
                    signals.push_back({at, "x==x..", {"x", "x'"}});
            signals.push_back({ports.data, "x.==x.", {"a(x)", "a(x')"}});
        }
        return signals;
    }

    PageSection interfaces() const {
        const MemoryNames& names = memory().names;
        PageSection section{
            "Interfaces",
            {ReportText{cat("One clock, ", names.clock, ", and a synchronous reset, ", names.reset,
                            ", low when active. The memory runs the loops itself: a clock with a "
                            "step high is an iteration of its nest, and nests never step "
                            "together.")},
             waveform("Two iterations",
                      "What a reader gives is there in the clock after the step, and no longer; a "
                      "writer is asked with the step.",
                      iterations())}};
        if (!names.loadEnable.empty())
            section.parts.push_back(ReportText{
                cat("Words are put in from outside by ", names.loadEnable, ", ", names.loadBank,
                    ", ", names.loadOffset, " and ", names.loadData, ".")});
        return section;
    }

    PageSection proofs() const {
        Cells rows;
        const auto add = [&](const char* name, const std::string& label) {
            const Json value = json.is_object() ? json.value(name, Json()) : Json();
            if (!value.is_null() && !(value.is_string() && value.get<std::string>().empty()))
                rows.push_back(
                    {label, value.is_string() ? value.get<std::string>() : value.dump()});
        };
        add("lower_bound", "no scheme of one copy has fewer banks than");
        add("lower_bound_by", "because of");
        add("min_banks", "least banks of one copy that were found");
        add("proved_minimal", "proved that no fewer do");
        add("proved_among", "among");
        add("proof", "by");
        PageSection section{
            "What is proved",
            {ReportText{"No bank is asked for more words in a clock than it has ports: decided "
                        "exactly, for all iterations, before the scheme was taken. Assertions in "
                        "the Verilog say so again in simulation."}}};
        if (!rows.empty())
            section.parts.push_back(ReportTable{{"", ""}, std::move(rows)});
        return section;
    }

    ReportPage page() const {
        ReportPage page;
        page.title = request.item + ": a banked memory";
        page.summary = cat("Hardware of the memory ", request.item, ": ", scheme().text(), ".");
        page.sections = {
            built(),
            figures(),
            lanes(),
            picturesSection(request.extras, {"Banks"}),
            interfaces(),
            registersSection({}),
            proofs(),
            verifiedSection("simulates this hardware beside a plain array under random traffic of "
                            "all its loops, and compares what every reader gives."),
            reproduceSection(commandOf(request))};
        return page;
    }
};

} // namespace

ReportPage memoryReport(const MemoryExportRequest& request, const ExportClock& clock,
                        const std::string& memory) {
    return MemoryReporter{request, clock, parsedJson(memory)}.page();
}

} // namespace marquetry::hdl
