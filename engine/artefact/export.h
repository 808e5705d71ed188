// Export: a folder with the RTL of a schedule, its testbenches, golden vectors, program and design.
//
//   rtl/*.v rtl/*.mem   modules and memory files          tb/       testbenches
//   vectors/*.hex       golden vectors                    program/  text and weight files
//   DESIGN.json         the design, its schedule under "schedule"
//   report.json         cycles and resources              manifest.json  SHA-256 of every file
//
// Same request, same bytes. Errors: hdl-unsupported (see lower_design.h), those of
// files::replaceFolder, unknown-target, cancelled, and those of the interpreter.
// Thread rule: pure but for the files.
#pragma once

#include "engine/artefact/manifest.h"
#include "engine/design/schedule.h"
#include "engine/rtl/ram_style.h"
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

struct ExportRequest {
    design::Schedule schedule;
    ir::Program program;
    /// The .mq file first, then the weight files at the paths the text names.
    std::vector<ProgramFile> programFiles;
    int vectors = 1;
    std::uint64_t seed = 1;
    /// An object; "schedule" and "program" are added to it. Empty: only those.
    std::string designJson;
    std::string target = "verilog";
    rtl::Vendor vendor = rtl::Vendor::Xilinx; ///< whose attributes memories get
};

struct ExportReport {
    std::string folder;
    std::size_t files = 0;
    std::int64_t predictedCycles = 0;
    /// Of a stream whose timing ended with the time: ps of its longest path, estimated.
    std::optional<double> longPath{};
    Diagnostics warnings{}; ///< of the file layer: leftovers that were cleared
};

Result<ExportReport> exportDesign(const ExportRequest& request, const ExportPlace& place,
                                  std::stop_token stop = {});

} // namespace marquetry::hdl
