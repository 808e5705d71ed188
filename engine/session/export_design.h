// Export from programs and designs: what the command line and a session share.
//
// An export is self-contained: the program's text and weight files go with it. A text whose files
// lie outside its folder is printed anew with the files beside it.
// Errors: not-exportable (with the reason). Thread rule: pure but for the files.
#pragma once

#include "engine/artefact/export.h"
#include "engine/design/design.h"

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

/// Whose attributes the memories of a design's hardware get: those of its device's vendor.
rtl::Vendor vendorOf(const design::Design& design);

} // namespace marquetry::session
