// Export and verification from programs and designs: what the command line and a session share.
//
// An export is self-contained: the program's text and weight files go with it. A text whose files
// lie outside its folder is printed anew with the files beside it.
// Errors: not-exportable (with the reason), no-item, and those of hdl::exportDesign
// and hdl::verify. Thread rule: pure but for the files.
#pragma once

#include "engine/design/design.h"
#include "engine/hdl/export.h"
#include "engine/hdl/verify.h"

#include <stop_token>
#include <string>
#include <vector>

namespace marquetry::session {

struct ExportOptions {
    std::string target = "verilog";
    int vectors = 3;
    std::uint64_t seed = 1;
};

/// The files that a program was read from: no output replaces them.
std::vector<std::string> inputFiles(const ir::Program& program);

/// `text` is the .mq file the program came from, byte for byte.
Result<hdl::ExportRequest> makeExportRequest(const design::Design& design,
                                             const ir::Program& program, const std::string& text,
                                             const ExportOptions& options);

/// Opens the export, parses its program and simulates it.
Result<hdl::VerifyReport> verifyExport(const std::string& folder, const hdl::VerifyParams& params,
                                       std::stop_token stop = {},
                                       const hdl::VerifyProgress& progress = {});

} // namespace marquetry::session
