#include "engine/hdl/manifest.h"

#include "engine/support/json.h"
#include "engine/support/json_depth.h"
#include "engine/support/sha256.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>

namespace marquetry::hdl {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* kKind = "marquetry-export";

/// A field of an object; empty when it is missing or no string.
std::string textOf(const Json& json, const char* name) {
    const bool present = json.is_object() && json.contains(name) && json[name].is_string();
    return present ? json[name].get<std::string>() : std::string();
}

/// The manifest of an export of ours, else a discarded value.
Json readManifest(const std::string& folder) {
    const auto text = readText(folder + "/" + kManifestName);
    if (!text || nestsTooDeep(*text))
        return Json(Json::value_t::discarded);
    Json json = Json::parse(*text, nullptr, false);
    return textOf(json, "kind") == kKind ? json : Json(Json::value_t::discarded);
}

/// A file below the folder, by its one name.
bool insideExport(const std::string& name) {
    const fs::path path(name);
    return path.is_relative() && path.has_filename() && path != "." &&
           path.lexically_normal() == path &&
           std::ranges::none_of(path, [](const fs::path& part) { return part == ".."; });
}

/// What the simulators would build or read without the manifest knowing it.
std::optional<std::string> strayFile(const fs::path& folder, const std::set<std::string>& known) {
    std::set<std::string> strays;
    for (const char* part : {"rtl", "tb", "program"}) {
        std::error_code error;
        for (const auto& entry : fs::recursive_directory_iterator(folder / part, error)) {
            const std::string name = entry.path().lexically_relative(folder).generic_string();
            if (!entry.is_directory(error) && !known.contains(name))
                strays.insert(name);
        }
    }
    return strays.empty() ? std::nullopt : std::optional(*strays.begin());
}

/// What the manifest in a folder names, and the manifest itself; nothing when there is none.
std::optional<files::OwnedFiles> ownedFiles(const std::string& folder) {
    const Json json = readManifest(folder);
    if (json.is_discarded())
        return std::nullopt;
    files::OwnedFiles owned{{kManifestName, ""}};
    const Json list = json.value("files", Json::array());
    for (const Json& file : list)
        if (const std::string name = textOf(file, "path"); insideExport(name))
            owned[name] = textOf(file, "sha256");
    return owned;
}

} // namespace

Result<std::string> readText(const std::string& path) {
    return files::read(path);
}

Status writeText(const std::string& path, const std::string& text) {
    files::Replace replace;
    replace.force = true;
    const auto written = files::write(path, text, replace);
    return written ? ok() : Status(written.error());
}

std::string writeManifest(const ManifestHead& head, const ExportFiles& files) {
    Json list = Json::array();
    for (const auto& [name, bytes] : files)
        list.push_back({{"path", name}, {"bytes", bytes.size()}, {"sha256", sha256(bytes)}});
    const Json json = {{"marquetry", "0.1.0"},    {"schema", 1},           {"kind", kKind},
                       {"program", head.program}, {"target", head.target}, {"files", list}};
    return json.dump(1) + "\n";
}

files::ReplaceFolder replaceRule(const ExportPlace& place) {
    files::ReplaceFolder rule;
    rule.kind = "an export of Marquetry";
    rule.owned = ownedFiles;
    rule.inputs = place.inputs;
    rule.force = place.force;
    return rule;
}

Result<files::Written> placeExport(const ManifestHead& head, const ExportFiles& files,
                                   const ExportPlace& place) {
    ExportFiles all = files;
    all[kManifestName] = writeManifest(head, files);
    return files::replaceFolder(place.folder, all, replaceRule(place));
}

Status checkManifest(const std::string& folder) {
    const Json json = readManifest(folder);
    if (json.is_discarded())
        return makeError("export-missing", folder + " is not an export: it has no manifest of ours",
                         "name the folder that `marquetry export` wrote");
    const auto damaged = [](const std::string& message) {
        return makeError("export-damaged", message, "export the design again");
    };
    if (!json.contains("files") || !json["files"].is_array())
        return damaged("the manifest lists no files");
    std::set<std::string> known;
    for (const Json& file : json["files"]) {
        const std::string name = textOf(file, "path");
        if (!insideExport(name))
            return damaged("the manifest lists \"" + name + "\", which is no file of an export");
        const auto bytes = readText(folder + "/" + name);
        if (!bytes)
            return damaged("file " + name + " of the export is missing");
        if (sha256(*bytes) != textOf(file, "sha256"))
            return damaged("file " + name + " has changed since the export: hash mismatch");
        known.insert(name);
    }
    if (!known.contains("DESIGN.json"))
        return damaged("the manifest does not list DESIGN.json");
    if (const auto stray = strayFile(folder, known))
        return damaged("file " + *stray + " is not part of the export");
    return ok();
}

} // namespace marquetry::hdl
