#include "engine/artefact/product_reports.h"
#include "engine/artefact/report_drawing.h"
#include "engine/cost/kernel_calibration.h"
#include "engine/support/numbers.h"

namespace marquetry::hdl {

namespace {

using Cells = std::vector<std::vector<std::string>>;

std::string basisOf(const cost::EstimateRatios& ratios) {
    return cat("calibrated: of kernels that nothing was fitted to, the estimate was ",
               numberText(ratios.median), " times what Yosys made (median; ",
               numberText(ratios.tenth), " to ", numberText(ratios.ninth),
               " in 80 % of them); the kernel alone, without its edges");
}

std::string contentOf(const StreamPort& port) {
    std::string leaves;
    for (const ir::Scalar leaf : port.leaves)
        leaves += (leaves.empty() ? "" : ", ") + std::string(ir::info(leaf).name);
    return cat(port.lanes, port.lanes == 1 ? " lane of " : " lanes of ", leaves, "; type ",
               toString(port.type));
}

struct StreamReporter {
    const StreamExportRequest& request;
    const StreamModules& stream;
    const ReportHardware& hardware;
    const std::optional<device::Resources>& area;

    const StreamInterface& interface() const { return stream.interface; }

    PageSection built() const {
        Cells rows = {{"item", request.program.name}, {"top module", hardware.top}};
        for (auto& row : deviceRows(request.device.id))
            rows.push_back(std::move(row));
        rows.push_back({"type of the output", toString(interface().output.type)});
        return {"What was built", {ReportTable{{"", ""}, std::move(rows)}}};
    }

    /// The core's own frames go on between those of a shell.
    std::string laterFrames() const {
        return hardware.roles.control && interface().clocks > 1
                   ? cat(", of the first frame; a later one may wait up to ",
                         interface().clocks - 1, " clocks for its turn")
                   : std::string();
    }

    PageSection figures() const {
        Cells rows = {{"clocks of a frame", std::to_string(interface().clocks), kExact},
                      {"latency, steps", std::to_string(interface().latency), kExact},
                      {"clocks of a step", std::to_string(interface().unit), kExact},
                      {"clocks from the first beat to the last result",
                       hardware.cycles > 0 ? std::to_string(hardware.cycles) : "not predicted",
                       hardware.cycles > 0
                           ? cat(kExact, " when the streams neither wait nor pause", laterFrames())
                           : std::string("the shell's start and widths of streams decide")},
                      {"register bits of the kernel", std::to_string(stream.registerBits),
                       cat(kExact, " before synthesis")},
                      {"bits in line buffers", std::to_string(stream.memoryBits), kExact}};
        if (area) {
            rows.push_back({"LUTs", roundedText(area->lut), basisOf(cost::kHeldOutLut)});
            rows.push_back({"flip-flops", roundedText(area->ff), basisOf(cost::kHeldOutFf)});
            rows.push_back({"block RAMs", roundedText(area->bram),
                            cat(kExact, " for those kernels; counted as they are mapped")});
            rows.push_back({"DSP blocks", roundedText(area->dsp),
                            cat(kExact, " for those kernels; counted as they are mapped")});
        }
        for (auto& row : shellRows(hardware.roles.control))
            rows.push_back(std::move(row));
        rows.push_back({"longest path inside the kernel, ps", roundedText(stream.pathDelay),
                        "estimated: cells of Yosys' library for the 7 series, no wires"});
        for (auto& row : clockRows(hardware.clock))
            rows.push_back(std::move(row));
        return {"Figures, and what they rest on",
                {ReportTable{{"figure", "value", "basis"}, std::move(rows)}}};
    }

    PageSection interfaces() const {
        std::vector<int> widths;
        std::vector<std::string> contents;
        const auto add = [&](const StreamPort& port) {
            widths.push_back(port.tdataBits());
            contents.push_back(contentOf(port));
        };
        for (const StreamPort& port : interface().inputs)
            add(port);
        add(interface().output);
        const ProjectRoles& roles = hardware.roles;
        const std::string frames =
            roles.control ? " Frames are started by the registers below."
                          : cat(" Frames follow each other without a start; ", hardware.error,
                                " is high, until the reset, after a frame whose tlast came too "
                                "early or too late.");
        PageSection section{
            "Interfaces",
            {ReportText{cat("One clock, ", roles.clock, ", and a synchronous reset, ", roles.reset,
                            ", low when active.", frames)}}};
        for (ReportPart& part : axisParts(reportStreams(roles.streams, widths, contents)))
            section.parts.push_back(std::move(part));
        return section;
    }

    ReportPage page() const {
        ReportPage page;
        page.title = request.program.name + ": a stream";
        page.summary = cat("Hardware of the stream ", request.program.name, ": a frame in ",
                           interface().clocks, " clocks.");
        page.sections = {
            built(),
            figures(),
            picturesSection(request.extras, {"Stream circuit"}),
            interfaces(),
            registersSection(hardware.roles.control),
            {"What is proved",
             {ReportText{"The circuit is typed: its space-time types say in which clock each word "
                         "is valid, and the steps of the hardware are those of the types. That it "
                         "computes the program is tested, not proved."}}},
            verifiedSection("simulates this hardware with random frames, gaps and back-pressure, "
                            "compares every word of the output with the reference interpreter, and "
                            "the clocks of a run without gaps with the figure above."),
            reproduceSection(commandOf(request))};
        return page;
    }
};

} // namespace

ReportPage streamReport(const StreamExportRequest& request, const StreamModules& stream,
                        const ReportHardware& hardware,
                        const std::optional<device::Resources>& area) {
    return StreamReporter{request, stream, hardware, area}.page();
}

} // namespace marquetry::hdl
