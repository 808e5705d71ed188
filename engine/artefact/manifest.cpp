#include "engine/artefact/manifest.h"

#include "engine/support/json.h"
#include "engine/support/json_depth.h"
#include "engine/support/sha256.h"

#include <algorithm>
#include <filesystem>
#include <optional>

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
    const auto text = files::read(folder + "/" + kManifestName);
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

} // namespace marquetry::hdl
