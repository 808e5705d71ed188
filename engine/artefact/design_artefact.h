// The artefact of a design: hardware of its schedule, testbenches of both kinds, golden vectors.
//
// DESIGN.json holds the design, its schedule under "schedule". Same request, same artefact.
// Errors: hdl-unsupported (see lower_design.h), design-form, cancelled, those of checkForm, of
// vendor::checkProject and of the interpreter. Thread rule: pure but for reading the program's
// files.
#pragma once

#include "engine/artefact/artefact.h"
#include "engine/artefact/report_sections.h"
#include "engine/device/device.h"
#include "engine/lower_design/lower_design.h"
#include "engine/support/result.h"

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

namespace marquetry::hdl {

/// Of a design: as many as exports have that are not asked for more.
inline constexpr int kUsualVectors = 3;

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
    ExportForm form{};
    device::Device device{}; ///< whose vendor's attributes memories get
    ReportExtras extras{};   ///< of report.html
};

/// Of both simulators, under the names that they have in an export.
/// Of Artefact.
std::string commandOf(const ExportRequest& request);

files::FolderFiles designBenches(const RtlPlan& plan, const DesignNames& names);

Result<Artefact> designArtefact(const ExportRequest& request, std::stop_token stop = {});

} // namespace marquetry::hdl
