// An export as verification sees it: every file is read once, and the bytes that were read are what
// is checked against the manifest, parsed and simulated. Nothing changes underway, and nothing is
// written to the folder.
//
// Names of files come from the manifest, which anybody may have written. They are plain: letters,
// digits and "_.-" in every part, none beginning with "." or "-". Only below program/, where users
// name their weight files, other characters may occur; "..", never.
//
// Errors: export-missing (no manifest of ours), export-damaged (a file is missing, differs, has a
// name that no export has, or is one too many), schedule-form (DESIGN.json names no program),
// file-unreadable, file-too-large. Complexity: linear in the bytes. Thread rule: pure but for
// reading.
#pragma once

#include "engine/support/folders.h"
#include "engine/support/result.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>

namespace marquetry::hdl {

enum class ExportKind { Design, Stream, Memory };

struct ExportFolder {
    std::string path; ///< as the user wrote it, for messages
    /// All that the manifest names: path inside the folder → bytes.
    files::FolderFiles files;
    ExportKind kind = ExportKind::Design;
    std::string program;     ///< name of the item
    std::string programFile; ///< of its text: one of `files`
    std::string fingerprint; ///< SHA-256 of the manifest
};

Result<ExportFolder> readExport(const std::string& path);

/// DESIGN.json, an object.
nlohmann::ordered_json designOf(const ExportFolder& source);

/// "tb/x.v is not the bench of this design", unless tb/ holds these files and no others.
Status checkBench(const ExportFolder& source, const files::FolderFiles& bench);

/// "program/w.npy", as `files` names it, of a file that the program names "./w.npy". Not of files
/// outside the export.
std::string nameOfProgramFile(const std::string& path);

/// A word of Verilog and C++, though it may be reserved: what names in DESIGN.json have to be.
bool isIdentifier(std::string_view name);

/// export-damaged.
Diagnostic damaged(const std::string& message);

} // namespace marquetry::hdl
