#include "engine/artefact/artefact.h"

#include "engine/artefact/report_sections.h"
#include "engine/support/json.h"

namespace marquetry::hdl {

namespace {

/// The report in JSON, with what place and route found.
std::string withPlaced(const std::string& report, const PlacedHardware& placed) {
    auto json = nlohmann::ordered_json::parse(report, nullptr, false);
    if (!json.is_object())
        json = nlohmann::ordered_json::object();
    addPlaced(json, placed);
    return json.dump(1) + "\n";
}

Result<Artefact> withBitstream(Artefact artefact, std::stop_token stop) {
    auto placed = placeAndRoute(filesOf(artefact), *artefact.flow, std::move(stop));
    if (!placed)
        return placed.error();
    artefact.placed = *std::move(placed);
    return artefact;
}

} // namespace

ExportFiles filesOf(const Artefact& artefact) {
    ExportFiles files = artefact.benches;
    for (const Module& module : artefact.netlist.modules)
        files["rtl/" + module.name + ".v"] = module.verilog;
    for (const MemoryFile& memory : artefact.netlist.memories)
        files["rtl/" + memory.name] = memory.text;
    for (const auto& [name, text] : artefact.vectors)
        files["vectors/" + name] = text;
    for (const auto& [name, bytes] : artefact.memory)
        files["memory/" + name] = bytes;
    for (const auto& [name, text] : artefact.hls)
        files["hls/" + name] = text;
    for (const ProgramFile& file : artefact.programFiles)
        files["program/" + file.path] = file.bytes;
    files.insert(artefact.project.begin(), artefact.project.end());
    files["DESIGN.json"] = artefact.design;
    if (!artefact.report.empty())
        files["report.json"] = artefact.report;
    ReportPage page = artefact.page;
    if (artefact.placed) {
        files[artefact.placed->file] = artefact.placed->bitstream;
        files["report.json"] = withPlaced(artefact.report, *artefact.placed);
        addPlaced(page, *artefact.placed);
    }
    addHashes(page, files);
    files["report.html"] = html(page);
    files["report.md"] = markdown(page);
    return files;
}

Result<ExportReport> exportArtefact(const Artefact& artefact, const ExportPlace& place,
                                    std::stop_token stop) {
    if (stop.stop_requested())
        return makeError("cancelled", "the export was stopped");
    if (artefact.flow && !artefact.placed) {
        // Before minutes of work that nobody would get.
        if (const Status free = files::checkFolder(place.folder, replaceRule(place)); !free)
            return free.error();
        const auto built = withBitstream(artefact, stop);
        return built ? exportArtefact(*built, place, stop) : Result<ExportReport>(built.error());
    }
    const ExportFiles files = filesOf(artefact);
    auto written = placeExport({artefact.program, artefact.form.target}, files, place);
    if (!written)
        return written.error();
    Diagnostics warnings = std::move(written->warnings);
    if (auto missed = artefact.placed ? std::nullopt : clockWarning(artefact.clock))
        warnings.push_back(*std::move(missed));
    ExportReport report{place.folder,      files.size() + 1,    artefact.predictedCycles,
                        artefact.longPath, std::move(warnings), artefact.clock,
                        artefact.placed};
    if (report.placed)
        report.placed->bitstream.clear();
    return report;
}

Result<ExportReport> exportArtefact(const Result<Artefact>& artefact, const ExportPlace& place,
                                    std::stop_token stop) {
    if (!artefact)
        return artefact.error();
    return exportArtefact(*artefact, place, std::move(stop));
}

} // namespace marquetry::hdl
