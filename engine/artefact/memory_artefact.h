// The artefact of one banked memory: the memory and its traffic (banked_testbench.h), no vectors.
//
// DESIGN.json holds scheme and cost under "memory". Same request, same artefact. Errors:
// hdl-unsupported (more words than are simulated), those of checkForm and of vendor::checkProject.
// Thread rule: pure.
#pragma once

#include "engine/artefact/artefact.h"
#include "engine/artefact/report_sections.h"
#include "engine/lower_memory/banked_memory.h"

namespace marquetry::hdl {

struct MemoryExportRequest {
    BankedMemory memory;
    std::string item;        ///< name in the program's text
    std::string programText; ///< of the .mq file
    std::string memoryJson;  ///< an object: scheme and cost
    std::string hlsHeader;   ///< banking/hls_header.h; empty: none
    ExportForm form{};
    device::Device device{};
    ReportExtras extras{}; ///< of report.html
};

/// Of Artefact.
std::string commandOf(const MemoryExportRequest& request);

Result<Artefact> memoryArtefact(const MemoryExportRequest& request);

} // namespace marquetry::hdl
