// Export and verification of one banked memory.
//
//   rtl/*.v            the memory            tb/tb.v          its traffic (banked_testbench.h)
//   program/NAME.mq    the item's file       DESIGN.json      scheme and cost under "memory"
//   manifest.json      SHA-256 of every file
//
// verifyMemory simulates kClocksPerVector clocks of random legal traffic per vector next to a flat
// array. The traffic is written anew from the program and the scheme in DESIGN.json. Same request,
// same bytes.
// Errors: hdl-unsupported (more words than are simulated), unknown-target, output-exists,
// output-unwritable, schedule-form, export-damaged, those of accessPattern and of the simulators. A
// memory that does not verify is an answer: pass is false.
// Thread rule: as exportDesign and verify.
#pragma once

#include "engine/artefact/export.h"
#include "engine/artefact/verify.h"
#include "engine/lower_memory/banked_memory.h"
#include "engine/support/json.h"

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

struct OpenedMemory {
    ExportFolder source;
    std::string module;
    nlohmann::ordered_json scheme; ///< "memory" of DESIGN.json
};

/// The folder must hold a memory.
Result<OpenedMemory> openMemory(ExportFolder source);

Result<VerifyReport> verifyMemory(const OpenedMemory& opened, const ir::MemoryProgram& program,
                                  const VerifyParams& params, std::stop_token stop = {},
                                  const VerifyProgress& progress = {});

} // namespace marquetry::hdl
