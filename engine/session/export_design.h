// Export from programs and designs: what the command line and a session share.
//
// An export is self-contained: the program's text and weight files go with it. A text whose files
// lie outside its folder is printed anew with the files beside it.
// Errors: not-exportable (with the reason). Thread rule: pure but for the files.
#pragma once

#include "engine/artefact/design_artefact.h"
#include "engine/design/design.h"
#include "engine/session/design_choices.h"

#include <string>
#include <vector>

namespace marquetry::session {

struct ExportOptions {
    std::string target = "verilog";
    int vectors = 3;
    std::uint64_t seed = 1;
    std::optional<DesignChoices> choices{}; ///< what the design was searched with
    hdl::LayerCircuits circuits{};          ///< that it was priced by
};

/// The files that a program was read from: no output replaces them.
std::vector<std::string> inputFiles(const ir::Program& program);

/// Of a schedule of the program, but for the design as JSON and the vendor.
Result<hdl::ExportRequest> requestOf(const design::Schedule& schedule, const ir::Program& program,
                                     const std::string& text, const ExportOptions& options);

/// `text` is the .mq file the program came from, byte for byte.
Result<hdl::ExportRequest> makeExportRequest(const design::Design& design,
                                             const ir::Program& program, const std::string& text,
                                             const ExportOptions& options);

/// Whose attributes memories of hardware for a device get: those of its vendor. `id`: the device's.
rtl::Vendor vendorOf(const std::string& id);

} // namespace marquetry::session
