#include "engine/artefact/report_sections.h"

#include "engine/artefact/report_drawing.h"
#include "engine/control/register_table.h"
#include "engine/device/device_file.h"
#include "engine/rtl/netlist.h"
#include "engine/support/numbers.h"
#include "engine/support/sha256.h"

#include <algorithm>

namespace marquetry::hdl {

namespace {

ReportDrawing axiLiteWrite(const ReportControl& control, const std::string& clock) {
    const rtl::AxiLiteNames& port = control.port;
    const std::string offset = hexText(control.registers.at("control").offset);
    return waveform("Write over AXI4-Lite",
                    "A 1 goes to bit 0 of the register control: a frame begins. Address and data "
                    "are taken in clocks in which their valid and ready are both high, in either "
                    "order; the response ends the write.",
                    {{clock, "p......"},
                     {port.awaddr, "x=.x...", {offset}},
                     {port.awvalid, "01.0..."},
                     {port.awready, "0.10..."},
                     {port.wdata, "x=.x...", {"0x1"}},
                     {port.wstrb, "x=.x...", {"0xf"}},
                     {port.wvalid, "01.0..."},
                     {port.wready, "0.10..."},
                     {port.bresp, "x..=.x.", {"OKAY"}},
                     {port.bvalid, "0..1.0."},
                     {port.bready, "0...10."}});
}

ReportDrawing axiLiteRead(const ReportControl& control, const std::string& clock) {
    const rtl::AxiLiteNames& port = control.port;
    const std::string offset = hexText(control.registers.at("frames").offset);
    return waveform("Read over AXI4-Lite",
                    "The register frames is read: its value is there, and stays, from the clock in "
                    "which valid rises until ready takes it.",
                    {{clock, "p......"},
                     {port.araddr, "x=.x...", {offset}},
                     {port.arvalid, "01.0..."},
                     {port.arready, "0.10..."},
                     {port.rdata, "x..=.x.", {"frames"}},
                     {port.rresp, "x..=.x.", {"OKAY"}},
                     {port.rvalid, "0..1.0."},
                     {port.rready, "0...10."}});
}

ReportDrawing axisWave(const ReportStream& stream) {
    const bool one = stream.beats == 1;
    const std::vector<std::string> beats =
        one ? std::vector<std::string>{"last"} : std::vector<std::string>{"first", "last"};
    return waveform(
        cat(stream.isInput ? "Input " : "Output ", stream.name),
        cat("A frame of ", stream.beats, stream.beats == 1 ? " beat" : " beats", ", driven by ",
            stream.isInput ? "the source" : "this hardware",
            ". A beat is taken at the end of a clock in which valid and ready are both high; until "
            "then it stays as it is. tlast is high with the last beat."),
        {{"aclk", one ? "p....." : "p......"},
         {stream.port.tdata, one ? "x=..x." : "x=.|=x.", beats},
         {stream.port.tvalid, one ? "01..0." : "01.|.0."},
         {stream.port.tlast, one ? "01..0." : "0..|10."},
         {stream.port.tready, one ? "0..10." : "0.1|.0."}});
}

} // namespace

std::string hexText(std::uint64_t value) {
    TextOut out;
    out << "0x" << std::hex << value;
    return out.str();
}

std::string percentText(double part) {
    return roundedText(100 * part) + " %";
}

const device::Device* shippedDevice(const std::string& id) {
    const auto found = std::ranges::find(device::shippedDevices(), id, &device::Device::id);
    return found == device::shippedDevices().end() ? nullptr : &*found;
}

std::vector<std::vector<std::string>> deviceRows(const std::string& id) {
    if (id.empty())
        return {{"device", "none is named"}};
    const device::Device* const device = shippedDevice(id);
    if (!device)
        return {{"device", id}, {"part", "that of a file of a device"}};
    std::vector<std::vector<std::string>> rows = {
        {"device", cat(device->id, " (", device->name, ")")},
        {"part", device->part},
        {"family", device->family}};
    for (const std::string& note : device->notes)
        rows.push_back({"of the device", note});
    return rows;
}

PageSection picturesSection(const ReportExtras& extras, const std::vector<std::string>& views) {
    PageSection section{"Pictures of the views", {}};
    std::string missing;
    for (const std::string& view : views)
        if (std::ranges::count(extras.pictures, view, &ReportPicture::title) == 0)
            missing += (missing.empty() ? "" : ", ") + view;
    for (const ReportPicture& picture : extras.pictures)
        section.parts.push_back(picture);
    if (!missing.empty())
        section.parts.push_back(
            ReportText{cat("Left out: ", missing,
                           ". The export was written without them; the window draws them.")});
    return section;
}

std::vector<ReportStream> reportStreams(const std::vector<vendor::ProjectStream>& streams,
                                        const std::vector<int>& widths,
                                        const std::vector<std::string>& contents) {
    std::vector<ReportStream> all;
    for (std::size_t k = 0; k < streams.size(); ++k) {
        const vendor::ProjectStream& s = streams[k];
        all.push_back({s.name, s.port, s.tdataBits, s.frameBits / s.tdataBits,
                       s.tdataBits == widths[k]
                           ? contents[k]
                           : cat("part of a frame; ", widths[k], " bits of it are ", contents[k]),
                       s.isInput});
    }
    return all;
}

std::vector<ReportPart> axisParts(const std::vector<ReportStream>& streams) {
    ReportTable table{
        {"stream", "direction", "ports", "bits of tdata", "beats of a frame", "content of a beat"},
        {}};
    for (const ReportStream& stream : streams)
        table.rows.push_back({stream.name, stream.isInput ? "in" : "out",
                              cat(stream.port.tdata, ", ", stream.port.tvalid, ", ",
                                  stream.port.tlast, ", ", stream.port.tready),
                              std::to_string(stream.tdataBits), std::to_string(stream.beats),
                              stream.content});
    std::vector<ReportPart> parts{table};
    for (const bool input : {true, false}) {
        const auto first = std::ranges::find(streams, input, &ReportStream::isInput);
        if (first != streams.end())
            parts.emplace_back(axisWave(*first));
    }
    return parts;
}

std::vector<std::vector<std::string>> shellRows(const std::optional<ReportControl>& control) {
    if (!control)
        return {};
    return {{"control shell", "on top of these",
             "some 300 LUTs and 560 flip-flops with one input and one output of 64 bits, by Yosys "
             "for the 7 series"}};
}

PageSection registersSection(const std::optional<ReportControl>& interface) {
    PageSection section{"Registers", {}};
    if (!interface) {
        section.parts.push_back(ReportText{
            "There are none: this hardware is driven by its ports, as drawn under Interfaces."});
        return section;
    }
    const ReportControl& control = *interface;
    section.parts.push_back(ReportText{
        cat("Words of 32 bits behind an AXI4-Lite slave with addresses of ",
            control.registers.addressBits, " bits; bits that are not named read as 0. The line ",
            control.interrupt, " is high while an event that is enabled waits.")});
    section.parts.push_back(ReportTable{registerColumns(), registerRows(control.registers)});
    section.parts.push_back(axiLiteWrite(control, "aclk"));
    section.parts.push_back(axiLiteRead(control, "aclk"));
    return section;
}

namespace {

constexpr const char* kVerifiedTitle = "What was verified, and what was not";

PageSection placedSection(const PlacedHardware& placed) {
    ReportTable cells{{"cells", "used", "of"}, {}};
    for (const PlacedCells& kind : placed.cells)
        cells.rows.push_back(
            {kind.kind, std::to_string(kind.used), std::to_string(kind.available)});
    return {"Placed and routed",
            {ReportText{placedLine(placed) + "."}, std::move(cells),
             ReportText{"This is " + placed.file +
                        ", with the hardware behind four pins: shift "
                        "registers take the place of its ports. The clock is that of the hardware "
                        "between them, and the cells have a register for each port's bit more. "
                        "All of this is the same each time with the same versions of the tools: " +
                        placed.tools + "."}}};
}

} // namespace

void addPlaced(ReportPage& page, const PlacedHardware& placed) {
    const auto verified = std::ranges::find(page.sections, kVerifiedTitle, &PageSection::title);
    if (verified == page.sections.end()) {
        page.sections.push_back(placedSection(placed));
        return;
    }
    verified->parts.front() = ReportText{"When this page was written, this export had been placed "
                                         "and routed by itself, and nothing of it simulated."};
    for (ReportPart& part : verified->parts)
        if (auto* open = std::get_if<ReportList>(&part))
            open->entries = {"that the device meets the clock with your own logic and pins around "
                             "this hardware",
                             "power", "whatever the ports are connected to"};
    page.sections.insert(verified, placedSection(placed));
}

PageSection verifiedSection(const std::string& simulated) {
    return {kVerifiedTitle,
            {ReportText{"When this page was written, nothing of this export had been simulated, "
                        "synthesised, placed or routed."},
             ReportCode{"marquetry verify .\n"}, ReportText{simulated},
             ReportText{"Not verified by that:"},
             ReportList{{"that the device meets the clock: place and route decide",
                         "LUTs and flip-flops after synthesis", "power",
                         "whatever the ports are connected to"}}}};
}

PageSection reproduceSection(const std::string& command) {
    PageSection section{"How to reproduce", {}};
    if (command.empty()) {
        section.parts.push_back(
            ReportText{"No command line writes the same again: this was chosen in the window among "
                       "what was found, and a search finds the least."});
    } else {
        section.parts.push_back(
            ReportText{"In the folder of this export, the same hardware is written again by"});
        section.parts.push_back(ReportCode{command + "\n"});
    }
    section.parts.push_back(
        ReportText{cat("Written by Marquetry ", kProgramVersion,
                       ". The same input gives the same bytes on every machine. manifest.json "
                       "has the SHA-256 of every file; these are those of what the hardware "
                       "is made of:")});
    return section;
}

void addHashes(ReportPage& page, const ExportFiles& files) {
    ReportTable table{{"file", "SHA-256"}, {}};
    for (const auto& [name, bytes] : files)
        if (name == "DESIGN.json" || name.starts_with("program/") || name.starts_with("rtl/"))
            table.rows.push_back({name, sha256(bytes)});
    if (!page.sections.empty())
        page.sections.back().parts.emplace_back(std::move(table));
}

} // namespace marquetry::hdl
