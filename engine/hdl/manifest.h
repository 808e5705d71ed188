// The manifest of an export: every file with its SHA-256, and the folder put in place at once.
//
// Errors: output-exists (the folder is there and no export of ours), output-unwritable,
// export-missing (no manifest), export-damaged (a file is missing or differs, naming it).
// Thread rule: touches the file system; one writer per folder.
#pragma once

#include "engine/support/result.h"

#include <map>
#include <string>

namespace marquetry::hdl {

inline constexpr const char* kManifestName = "manifest.json";

/// Path inside the export → bytes.
using ExportFiles = std::map<std::string, std::string>;

struct ManifestHead {
    std::string program;
    std::string target;
};

/// The manifest's text for these files.
std::string writeManifest(const ManifestHead& head, const ExportFiles& files);

/// Writes files and manifest to a folder beside `folder` and renames it into place.
Status placeExport(const ManifestHead& head, const ExportFiles& files, const std::string& folder);

/// Every file the manifest names is there and unchanged.
Status checkManifest(const std::string& folder);

Result<std::string> readText(const std::string& path);
Status writeText(const std::string& path, const std::string& text);

} // namespace marquetry::hdl
