// Files with programs of either kind: an ONNX network (its name ends in .onnx), or a file of the
// language.
//
// An imported network is one design; its text is what the printer makes of it, with the paths of
// weights that no file has yet.
// Errors: those of parseFile, or of the importer. Thread rule: pure but for reading files.
#pragma once

#include "engine/frontend/onnx/imported.h"
#include "engine/frontend/parser.h"

#include <optional>
#include <string>

namespace marquetry::frontend::onnx {

bool isModelFile(const std::string& path);

struct ReadProgram {
    ParseResult parsed;
    std::optional<Imported> imported; ///< of a network; its program is in `parsed`
};
/// `stop` ends an import, with the error "cancelled".
Result<ReadProgram> readProgramFile(const std::string& path, const std::stop_token& stop = {});

/// What an import left out and how inputs and outputs are to be read, for people: a line each.
std::vector<std::string> importSummary(const Imported& imported);

} // namespace marquetry::frontend::onnx
