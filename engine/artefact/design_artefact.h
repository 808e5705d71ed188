// The artefact of a design: hardware of its schedule, testbenches of both kinds, golden vectors.
//
// DESIGN.json holds the design, its schedule under "schedule". Same request, same artefact.
// Errors: hdl-unsupported (see lower_design.h), unknown-target, design-form, cancelled, and those
// of the interpreter. Thread rule: pure but for reading the program's files.
#pragma once

#include "engine/artefact/artefact.h"
#include "engine/lower_design/lower_design.h"
#include "engine/rtl/ram_style.h"
#include "engine/support/result.h"

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

namespace marquetry::hdl {

struct ExportRequest {
    design::Schedule schedule;
    ir::Program program;
    /// The .mq file first, then the weight files at the paths the text names.
    std::vector<ProgramFile> programFiles;
    int vectors = 1;
    std::uint64_t seed = 1;
    LayerCircuits circuits; ///< of stream units, as far as they were made already
    /// An object; "schedule" and "program" are added to it. Empty: only those.
    std::string designJson;
    std::string target = "verilog";
    rtl::Vendor vendor = rtl::Vendor::Xilinx; ///< whose attributes memories get
};

/// Of both simulators, under the names that they have in an export.
files::FolderFiles designBenches(const RtlPlan& plan, const DesignNames& names);

Result<Artefact> designArtefact(const ExportRequest& request, std::stop_token stop = {});

} // namespace marquetry::hdl
