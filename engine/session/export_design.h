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
    hdl::ExportForm form{};
    int vectors = hdl::kUsualVectors;
    std::uint64_t seed = 1;
    std::optional<DesignChoices> choices{}; ///< what the design was searched with
    hdl::LayerCircuits circuits{};          ///< that it was priced by
    std::vector<hdl::ReportPicture> pictures{};
};

/// The files that a program was read from: no output replaces them.
std::vector<std::string> inputFiles(const ir::Program& program);

/// What an export of the design would say before it begins. Errors: not-exportable, hdl::check's.
Status exportable(const design::Design& design);

/// Of a schedule of the program, but for the design as JSON and the vendor.
Result<hdl::ExportRequest> requestOf(const design::Schedule& schedule, const ir::Program& program,
                                     const std::string& text, const ExportOptions& options);

/// `text` is the .mq file the program came from, byte for byte.
Result<hdl::ExportRequest> makeExportRequest(const design::Design& design,
                                             const ir::Program& program, const std::string& text,
                                             const ExportOptions& options);

/// The device that a design of this device was searched for, with the clock that was asked for. Of
/// a device file that has gone since, the id alone.
device::Device deviceOf(const DesignChoices& choices, const std::string& id);

/// The device that a design names, one that is shipped or of this id and family alone.
device::Device deviceNamed(const std::string& id);

} // namespace marquetry::session
