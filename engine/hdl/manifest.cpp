#include "engine/hdl/manifest.h"

#include "engine/support/json_depth.h"
#include "engine/support/sha256.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>
#include <unistd.h>

namespace marquetry::hdl {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* kKind = "marquetry-export";

Diagnostic unwritable(const std::string& path, const std::string& why) {
    return makeError("output-unwritable", "cannot write " + path + ": " + why,
                     "choose a folder you may write to");
}

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

bool isExport(const std::string& folder) {
    return !readManifest(folder).is_discarded();
}

bool insideExport(const std::string& name) {
    const fs::path path(name);
    return path.is_relative() && !name.empty() &&
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

/// The folder may be made or replaced.
Status checkTarget(const std::string& folder) {
    std::error_code error;
    if (!fs::exists(fs::symlink_status(folder, error)))
        return ok();
    const bool empty = fs::is_directory(folder, error) && fs::is_empty(folder, error);
    if (!empty && !isExport(folder))
        return makeError("output-exists", folder + " exists and is not an export of Marquetry",
                         "choose another folder or remove it yourself");
    return ok();
}

Status writeAll(const fs::path& folder, const ExportFiles& files) {
    for (const auto& [name, bytes] : files) {
        const fs::path path = folder / name;
        std::error_code error;
        fs::create_directories(path.parent_path(), error);
        if (error)
            return unwritable(path.parent_path().string(), error.message());
        if (Status status = writeText(path.string(), bytes); !status)
            return status;
    }
    return ok();
}

Status replace(const fs::path& fresh, const fs::path& folder) {
    std::error_code error;
    const fs::path old = fresh.string() + ".old";
    const bool exists = fs::exists(folder, error);
    if (exists) {
        fs::rename(folder, old, error);
        if (error)
            return unwritable(folder.string(), error.message());
    }
    fs::rename(fresh, folder, error);
    if (error) {
        std::error_code ignored;
        if (exists)
            fs::rename(old, folder, ignored);
        return unwritable(folder.string(), error.message());
    }
    fs::remove_all(old, error);
    return ok();
}

} // namespace

Result<std::string> readText(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    if (!in || !(text << in.rdbuf())) {
        // An empty file sets failbit too; only a file that cannot be opened is an error.
        if (!in.is_open())
            return makeError("file-missing", "cannot read " + path);
    }
    return text.str();
}

Status writeText(const std::string& path, const std::string& text) {
    errno = 0;
    std::ofstream out(path, std::ios::binary | std::ios::trunc);
    out << text;
    out.close();
    if (!out)
        return unwritable(path, errno != 0 ? std::strerror(errno) : "writing failed");
    return ok();
}

std::string writeManifest(const ManifestHead& head, const ExportFiles& files) {
    Json list = Json::array();
    for (const auto& [name, bytes] : files)
        list.push_back({{"path", name}, {"bytes", bytes.size()}, {"sha256", sha256(bytes)}});
    const Json json = {{"marquetry", "0.1.0"},    {"schema", 1},           {"kind", kKind},
                       {"program", head.program}, {"target", head.target}, {"files", list}};
    return json.dump(1) + "\n";
}

Status placeExport(const ManifestHead& head, const ExportFiles& files, const std::string& folder) {
    if (Status status = checkTarget(folder); !status)
        return status;
    std::error_code error;
    const fs::path target = fs::absolute(folder, error).lexically_normal();
    const fs::path clean = target.has_filename() ? target : target.parent_path();
    const fs::path fresh =
        clean.parent_path() / ("." + clean.filename().string() + "." + std::to_string(getpid()));
    fs::create_directories(clean.parent_path(), error);
    if (error)
        return unwritable(clean.parent_path().string(), error.message());
    fs::remove_all(fresh, error);
    ExportFiles all = files;
    all[kManifestName] = writeManifest(head, files);
    Status status = writeAll(fresh, all);
    if (status)
        status = replace(fresh, clean);
    fs::remove_all(fresh, error);
    return status;
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
