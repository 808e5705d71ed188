// Artefact: all that an export holds, made of a design, a stream or a memory
// (design_artefact.h, stream_artefact.h, memory_artefact.h).
//
//   rtl/*.v rtl/*.mem   modules and memory files          tb/       testbenches
//   vectors/*.hex       golden vectors                    program/  text and weight files
//   memory/weights.bin  the image of external weights (design/weight_image.h)
//   hls/*_banks.h       of a memory: its banks for high-level synthesis (banking/hls_header.h)
//   DESIGN.json         what was built                    manifest.json  SHA-256 of every file
//   report.json         cycles and resources, of a memory its clock
//   report.html         the same and more for people, and as Markdown
//   and the files of the target's project (engine/vendor)
//
// Same request, same bytes. Errors: those of files::replaceFolder, cancelled.
// Thread rule: pure but for the files.
#pragma once

#include "engine/artefact/export_clock.h"
#include "engine/artefact/export_form.h"
#include "engine/artefact/manifest.h"
#include "engine/artefact/place_and_route.h"
#include "engine/artefact/report_page.h"
#include "engine/rtl/netlist.h"
#include "engine/support/result.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace marquetry::hdl {

struct ProgramFile {
    std::string path; ///< inside program/
    std::string bytes;
};

struct Artefact {
    std::string program; ///< name of the item
    ExportForm form{};
    Netlist netlist;
    files::FolderFiles benches; ///< "tb/x.v" → text
    files::FolderFiles vectors; ///< "in_x.hex" → text
    files::FolderFiles memory;  ///< "weights.bin" → bytes, of a design with external weights
    files::FolderFiles hls;     ///< "x_banks.h" → text, of a memory
    files::FolderFiles project; ///< of the form's target: path → text (project_files.h)
    std::optional<vendor::OpenFlow> flow{}; ///< where a bitstream is asked for
    std::optional<PlacedHardware> placed{}; ///< when that is made
    /// The .mq file first, then the weight files at the paths the text names.
    std::vector<ProgramFile> programFiles;
    std::string design;  ///< DESIGN.json
    std::string report;  ///< report.json; empty: none
    ReportPage page;     ///< the report for people, but for the hashes of the files
    std::string command; ///< writes the same again: commandAgain; empty: none does
    std::int64_t predictedCycles = 0;
    ExportClock clock{};
    /// Of a stream whose timing ended with the time: ps of its longest path, estimated.
    std::optional<double> longPath{};
};

struct ExportReport {
    std::string folder;
    std::size_t files = 0;
    std::int64_t predictedCycles = 0;
    std::optional<double> longPath{}; ///< the artefact's
    Diagnostics warnings{};           ///< leftovers that were cleared, a clock that is not met
    ExportClock clock{};              ///< the artefact's
    std::optional<PlacedHardware> placed{}; ///< without its bytes
};

/// All files of the export but its manifest.
ExportFiles filesOf(const Artefact& artefact);

Result<ExportReport> exportArtefact(const Artefact& artefact, const ExportPlace& place,
                                    std::stop_token stop = {});

/// The same of what comes from a maker: its errors are passed on.
Result<ExportReport> exportArtefact(const Result<Artefact>& artefact, const ExportPlace& place,
                                    std::stop_token stop = {});

} // namespace marquetry::hdl
