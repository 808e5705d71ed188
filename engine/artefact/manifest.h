// The manifest of an export: every file with its SHA-256, and the folder put in place at once.
//
// Errors: those of files::replaceFolder.
// Thread rule: touches the file system; one writer per folder.
#pragma once

#include "engine/support/folders.h"

#include <nlohmann/json_fwd.hpp>

#include <map>
#include <string>
#include <vector>

namespace marquetry::hdl {

/// Of the program that writes.
inline constexpr const char* kProgramVersion = "0.1.0";

inline constexpr const char* kManifestName = "manifest.json";

/// "kind" of the manifest.
inline constexpr const char* kExportKind = "marquetry-export";
/// No manifest of ours is longer.
inline constexpr std::size_t kMostManifestBytes = std::size_t{64} << 20;

/// A manifest of ours, else a discarded value.
nlohmann::ordered_json manifestOf(const std::string& text);

/// Path inside the export → bytes.
using ExportFiles = std::map<std::string, std::string>;

struct ManifestHead {
    std::string program;
    std::string target;
};

/// The manifest's text for these files.
std::string writeManifest(const ManifestHead& head, const ExportFiles& files);

/// Where an export goes.
struct ExportPlace {
    ExportPlace(std::string path) : folder(std::move(path)) {}
    ExportPlace(const char* path) : folder(path) {}
    ExportPlace(std::string path, std::vector<std::string> readFiles, bool replaceAll)
        : folder(std::move(path)), inputs(std::move(readFiles)), force(replaceAll) {}

    std::string folder;
    std::vector<std::string> inputs; ///< files of the run: never replaced
    bool force = false;              ///< also replaces files of an export that have been edited
};

/// The rule by which exports are replaced: the files that a manifest names are ours.
files::ReplaceFolder replaceRule(const ExportPlace& place);

/// Writes the files and their manifest as one (files::replaceFolder); yields its warnings.
Result<files::Written> placeExport(const ManifestHead& head, const ExportFiles& files,
                                   const ExportPlace& place);

} // namespace marquetry::hdl
