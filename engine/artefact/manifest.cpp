#include "engine/artefact/manifest.h"

#include "engine/artefact/json_fields.h"
#include "engine/support/json_depth.h"
#include "engine/support/sha256.h"

#include <algorithm>
#include <filesystem>
#include <optional>

namespace marquetry::hdl {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// A file below the folder, by its one name.
bool insideExport(const std::string& name) {
    const fs::path path(name);
    return path.is_relative() && path.has_filename() && path != "." &&
           path.lexically_normal() == path &&
           std::ranges::none_of(path, [](const fs::path& part) { return part == ".."; });
}

/// What the manifest in a folder names, and the manifest itself; nothing when there is none.
std::optional<files::OwnedFiles> ownedFiles(const std::string& folder) {
    const auto text = files::read(folder + "/" + kManifestName, kMostManifestBytes);
    const Json json = text ? manifestOf(*text) : Json(Json::value_t::discarded);
    if (json.is_discarded())
        return std::nullopt;
    files::OwnedFiles owned{{kManifestName, ""}};
    const Json list = json.value("files", Json::array());
    for (const Json& file : list)
        if (const std::string name = textField(file, "path"); insideExport(name))
            owned[name] = textField(file, "sha256");
    return owned;
}

} // namespace

Json manifestOf(const std::string& text) {
    Json json = parsedJson(text);
    return textField(json, "kind") == kExportKind ? json : Json(Json::value_t::discarded);
}

std::string writeManifest(const ManifestHead& head, const ExportFiles& files) {
    Json list = Json::array();
    for (const auto& [name, bytes] : files)
        list.push_back({{"path", name}, {"bytes", bytes.size()}, {"sha256", sha256(bytes)}});
    const Json json = {{"marquetry", kProgramVersion}, {"schema", 1},
                       {"kind", kExportKind},          {"program", head.program},
                       {"target", head.target},        {"files", list}};
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
