// Verification of an export, whatever it holds: what the command line and a session share.
//
// The export is read once (artefact/opened_export.h). Its program is parsed, and interpreted, from
// these bytes in a private folder: messages name it as it is in the export. Errors: those of
// readExport, of the front end (no-item and the rest) and of verifyArtefact; export-damaged also
// when the program reads a file that is not part of the export. Thread rule: pure but for reading
// and its private folder.
#pragma once

#include "engine/artefact/verify.h"

#include <stop_token>
#include <string>

namespace marquetry::session {

/// Opens the export, parses its program and simulates it.
Result<hdl::VerifyReport> verifyExport(const std::string& folder, const hdl::VerifyParams& params,
                                       std::stop_token stop = {},
                                       const hdl::VerifyProgress& progress = {});

} // namespace marquetry::session
