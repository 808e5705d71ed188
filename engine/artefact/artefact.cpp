#include "engine/artefact/artefact.h"

#include "engine/artefact/report_sections.h"

namespace marquetry::hdl {

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
    for (const ProgramFile& file : artefact.programFiles)
        files["program/" + file.path] = file.bytes;
    files.insert(artefact.project.begin(), artefact.project.end());
    files["DESIGN.json"] = artefact.design;
    if (!artefact.report.empty())
        files["report.json"] = artefact.report;
    ReportPage page = artefact.page;
    addHashes(page, files);
    files["report.html"] = html(page);
    files["report.md"] = markdown(page);
    return files;
}

Result<ExportReport> exportArtefact(const Artefact& artefact, const ExportPlace& place,
                                    std::stop_token stop) {
    if (stop.stop_requested())
        return makeError("cancelled", "the export was stopped");
    const ExportFiles files = filesOf(artefact);
    auto written = placeExport({artefact.program, artefact.form.target}, files, place);
    if (!written)
        return written.error();
    Diagnostics warnings = std::move(written->warnings);
    if (auto missed = clockWarning(artefact.clock))
        warnings.push_back(*std::move(missed));
    return ExportReport{place.folder,      files.size() + 1,    artefact.predictedCycles,
                        artefact.longPath, std::move(warnings), artefact.clock};
}

Result<ExportReport> exportArtefact(const Result<Artefact>& artefact, const ExportPlace& place,
                                    std::stop_token stop) {
    if (!artefact)
        return artefact.error();
    return exportArtefact(*artefact, place, std::move(stop));
}

} // namespace marquetry::hdl
