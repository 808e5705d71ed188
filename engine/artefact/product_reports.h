// The reports of a design, a stream and a memory: every figure is one of those that the hardware,
// its plan or its price was made with, beside what it rests on.
//
// A figure is exact (counted, or the length of what was generated), calibrated (fitted to
// synthesised circuits, with how far off it was on others) or assumed. Thread rule: pure.
#pragma once

#include "engine/artefact/design_artefact.h"
#include "engine/artefact/memory_artefact.h"
#include "engine/artefact/project_files.h"
#include "engine/artefact/report_sections.h"
#include "engine/artefact/stream_artefact.h"

#include <optional>
#include <string>

namespace marquetry::hdl {

/// What is exported: the hardware itself, or the shell around it.
struct ReportHardware {
    std::string top;
    const ProjectRoles& roles;
    std::string error{};                ///< a port; empty behind registers
    std::vector<UnitNames> units{};     ///< of a design; index: UnitId
    std::optional<DesignNames> names{}; ///< of a design; none behind registers
    std::int64_t cycles = 0;            ///< of a stream's frame; 0: not predicted
    ExportClock clock{};
};

/// `design`: the text of DESIGN.json, which anybody may have written: what it does not say is left
/// out.
ReportPage designReport(const ExportRequest& request, const RtlPlan& plan,
                        const ReportHardware& hardware, const std::string& design);

/// `area`: of the kernel; nothing where the device prices none.
ReportPage streamReport(const StreamExportRequest& request, const StreamModules& stream,
                        const ReportHardware& hardware,
                        const std::optional<device::Resources>& area);

/// `memory`: the JSON of the plan, as `design` above.
ReportPage memoryReport(const MemoryExportRequest& request, const ExportClock& clock,
                        const std::string& memory);

} // namespace marquetry::hdl
