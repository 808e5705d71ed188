#include "engine/artefact/place_and_route.h"

#include "engine/artefact/bench_output.h"
#include "engine/support/files.h"
#include "engine/support/folders.h"
#include "engine/support/json.h"
#include "engine/support/process.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace marquetry::hdl {

namespace {

using Json = nlohmann::ordered_json;

std::string firstLine(const std::string& text) {
    return text.substr(0, text.find('\n'));
}

Result<std::string> versionsOf(const std::vector<std::string>& tools, std::stop_token stop) {
    std::string versions;
    for (const std::string& tool : tools) {
        // icepack has no version and answers with how it is used.
        const auto said = runProcess({{tool, "--version"}, "", {}, 60}, stop);
        if (!said && said.error().front().code == "process-start")
            return makeError("tool-missing", "a bitstream needs " + tool + ", which is not there",
                             "install it, or export without --bitstream");
        if (!said)
            return said.error();
        if (said->exitCode == 0)
            versions += (versions.empty() ? "" : "; ") + firstLine(said->output);
    }
    return versions;
}

/// The line of nextpnr that ended it so; before routing it warns of the same.
std::string missedClock(const std::string& output) {
    const std::size_t at = output.rfind("(FAIL at ");
    if (at == std::string::npos)
        return "";
    const std::size_t begin = output.rfind('\n', at) + 1;
    const std::string line = output.substr(begin, output.find('\n', at) - begin);
    return line.starts_with("ERROR") ? line : "";
}

Status make(const std::string& folder, std::stop_token stop) {
    // Nothing of the user's may change what is built, nor let a missed clock pass.
    ProcessParams params{{"make"}, folder};
    for (const char* name :
         {"ALLOW_SLOW", "MAKEFLAGS", "MFLAGS", "GNUMAKEFLAGS", "MAKEOVERRIDES", "MAKELEVEL"})
        params.environment[name] = std::nullopt;
    const auto made = runProcess(params, std::move(stop));
    if (!made)
        return made.error();
    if (made->exitCode == 0)
        return ok();
    if (const std::string missed = missedClock(made->output); !missed.empty())
        return makeError("clock-not-met",
                         "place and route does not reach the clock that is asked for: " + missed,
                         "ask for a slower one with --clock, or export without --bitstream");
    return makeError("place-and-route",
                     "make failed with status " + std::to_string(made->exitCode) + ":\n" +
                         tail(made->output),
                     "export without --bitstream, and run make in the folder");
}

Result<PlacedHardware> readReport(const std::string& text) {
    const Json report = Json::parse(text, nullptr, false);
    PlacedHardware placed;
    try {
        placed.reachedMhz = std::numeric_limits<double>::infinity();
        for (const auto& [name, clock] : report.at("fmax").items())
            placed.reachedMhz = std::min(placed.reachedMhz, clock.at("achieved").get<double>());
        if (!std::isfinite(placed.reachedMhz))
            return makeError("place-and-route", "nextpnr reports no clock");
        for (const auto& [kind, cells] : report.at("utilization").items())
            if (const auto used = cells.at("used").get<std::int64_t>(); used > 0)
                placed.cells.push_back({kind, used, cells.at("available").get<std::int64_t>()});
    } catch (const Json::exception& error) {
        return makeError("place-and-route",
                         std::string("the report of nextpnr is not understood: ") + error.what());
    }
    std::ranges::sort(placed.cells, {}, &PlacedCells::kind);
    return placed;
}

std::string tenths(double mhz) {
    std::string text = std::to_string(std::llround(mhz * 10));
    if (text.size() == 1)
        text = "0" + text;
    return text.insert(text.size() - 1, ".");
}

} // namespace

Result<PlacedHardware> placeAndRoute(const ExportFiles& files, const vendor::OpenFlow& flow,
                                     std::stop_token stop) {
    std::vector<std::string> tools = flow.tools;
    tools.insert(tools.begin(), "make");
    auto versions = versionsOf(tools, stop);
    if (!versions)
        return versions.error();
    const auto folder = files::PrivateFolder::make();
    if (!folder)
        return folder.error();
    for (const auto& [name, bytes] : files)
        if (Status status = folder->write(name, bytes); !status)
            return status.error();
    if (Status status = make(folder->path(), std::move(stop)); !status)
        return status.error();
    const auto report = files::read(folder->path() + "/" + flow.report);
    if (!report)
        return report.error();
    auto bitstream = files::read(folder->path() + "/" + flow.bitstream);
    if (!bitstream)
        return bitstream.error();
    auto placed = readReport(*report);
    if (!placed)
        return placed;
    placed->tools = *std::move(versions);
    placed->requestedMhz = flow.clockMhz;
    placed->file = bitstreamFile(flow);
    placed->bitstream = *std::move(bitstream);
    return placed;
}

std::string bitstreamFile(const vendor::OpenFlow& flow) {
    return "bitstream/" + flow.bitstream.substr(flow.bitstream.rfind('/') + 1);
}

std::string placedLine(const PlacedHardware& placed) {
    std::string line = "placed and routed: " + tenths(placed.reachedMhz) + " MHz of " +
                       tenths(placed.requestedMhz) + " MHz asked for";
    for (const PlacedCells& cells : placed.cells)
        line += ", " + std::to_string(cells.used) + " of " + std::to_string(cells.available) + " " +
                cells.kind;
    return line;
}

void addPlaced(nlohmann::ordered_json& json, const PlacedHardware& placed) {
    Json cells = Json::array();
    for (const PlacedCells& kind : placed.cells)
        cells.push_back({{"kind", kind.kind}, {"used", kind.used}, {"available", kind.available}});
    json["placed"] = {{"tools", placed.tools},
                      {"clock_mhz", placed.requestedMhz},
                      {"clock_reached_mhz", placed.reachedMhz},
                      {"cells", cells},
                      {"bitstream", placed.file}};
}

} // namespace marquetry::hdl
