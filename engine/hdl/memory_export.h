// Export and verification of one banked memory.
//
//   rtl/*.v            the memory            tb/tb.v          its traffic (banked_testbench.h)
//   program/NAME.mq    the item's file       DESIGN.json      scheme and cost under "memory"
//   manifest.json      SHA-256 of every file
//
// verifyMemory simulates kClocksPerVector clocks of random legal traffic per vector next to a flat
// array. Same request, same bytes.
// Errors: hdl-unsupported (more words than are simulated), unknown-target, output-exists,
// output-unwritable, export-missing, export-damaged, process-start, simulator-build, cancelled. A
// memory that does not verify is an answer: pass is false.
// Thread rule: as exportDesign and verify.
#pragma once

#include "engine/hdl/banked_memory.h"
#include "engine/hdl/export.h"
#include "engine/hdl/verify.h"

namespace marquetry::hdl {

inline constexpr std::int64_t kClocksPerVector = 40'000;

struct MemoryExportRequest {
    BankedMemory memory;
    std::string item;        ///< name in the program's text
    std::string programText; ///< of the .mq file
    std::string memoryJson;  ///< an object: scheme and cost
    std::string target = "verilog";
};

Result<ExportReport> exportMemory(const MemoryExportRequest& request, const ExportPlace& place,
                                  std::stop_token stop = {});

/// Whether the export in this folder is one of a memory; false when there is none.
bool holdsMemory(const std::string& folder);

Result<VerifyReport> verifyMemory(const std::string& folder, const VerifyParams& params,
                                  std::stop_token stop = {}, const VerifyProgress& progress = {});

} // namespace marquetry::hdl
