#include "engine/artefact/opened_export.h"

#include "engine/artefact/json_fields.h"
#include "engine/artefact/manifest.h"
#include "engine/support/json_depth.h"
#include "engine/support/quote.h"
#include "engine/support/sha256.h"

#include <algorithm>
#include <filesystem>
#include <set>

namespace marquetry::hdl {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* kDesign = "DESIGN.json";
constexpr const char* kProgramFolder = "program/";

bool isWordPart(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool isPlainPart(const std::string& part) {
    const auto plain = [](char c) { return isWordPart(c) || c == '.' || c == '-'; };
    return !part.empty() && part[0] != '.' && part[0] != '-' && std::ranges::all_of(part, plain);
}

bool isPlain(const std::string& name) {
    std::size_t begin = 0;
    while (true) {
        const std::size_t end = name.find('/', begin);
        if (!isPlainPart(name.substr(begin, end - begin)))
            return false;
        if (end == std::string::npos)
            return true;
        begin = end + 1;
    }
}

/// rtl/x.v and rtl/x.mem, no folders in between.
bool isHardware(const std::string& name) {
    const fs::path path(name);
    return path.parent_path() == "rtl" && (path.extension() == ".v" || path.extension() == ".mem");
}

/// The name under which a file is kept; empty when no export has files of that name.
std::string keptName(const std::string& name) {
    if (name.starts_with(kProgramFolder))
        return nameOfProgramFile(name.substr(std::string_view(kProgramFolder).size()));
    const bool known = !name.starts_with("rtl/") || isHardware(name);
    return isPlain(name) && known ? name : std::string();
}

Diagnostic noExport(const std::string& folder) {
    return makeError("export-missing",
                     inQuotes(folder) + " is not an export: it has no manifest of ours",
                     "name the folder that `marquetry export` wrote");
}

Result<Json> readManifest(ExportFolder& source) {
    const auto text = files::read(source.path + "/" + kManifestName, kMostManifestBytes);
    if (!text)
        return text.error().front().code == "file-missing" ? Diagnostics{noExport(source.path)}
                                                           : text.error();
    Json json = manifestOf(*text);
    if (json.is_discarded())
        return noExport(source.path);
    if (!json.contains("files") || !json["files"].is_array())
        return damaged("the manifest lists no files");
    source.fingerprint = sha256(*text);
    return json;
}

Status readFile(const Json& entry, ExportFolder& source, std::size_t& left) {
    const std::string name = textField(entry, "path");
    const std::string kept = keptName(name);
    if (kept.empty())
        return damaged("the manifest lists " + inQuotes(name) + ", which is no file of an export");
    auto bytes = files::read(source.path + "/" + kept, left);
    if (!bytes)
        return bytes.error().front().code == "file-missing"
                   ? Diagnostics{damaged("file " + inQuotes(kept) + " of the export is missing")}
                   : bytes.error();
    if (sha256(*bytes) != textField(entry, "sha256"))
        return damaged("file " + inQuotes(kept) + " has changed since the export: hash mismatch");
    left -= bytes->size();
    source.files[kept] = *std::move(bytes);
    return ok();
}

/// What somebody has put beside the files that the manifest knows.
Status checkStrays(const ExportFolder& source) {
    std::set<std::string> strays;
    for (const char* const part : {"rtl", "tb", "program", "memory"}) {
        std::vector<file_system::Entry> entries;
        file_system::entriesBelow(source.path + "/" + part, entries);
        for (const auto& [below, folder] : entries) {
            const std::string name = std::string(part) + "/" + below;
            if (!folder && !source.files.contains(name))
                strays.insert(name);
        }
    }
    if (!strays.empty())
        return damaged("file " + inQuotes(*strays.begin()) + " is not part of the export");
    return ok();
}

Status readDesign(ExportFolder& source) {
    const auto found = source.files.find(kDesign);
    if (found == source.files.end())
        return damaged("the manifest does not list DESIGN.json");
    const Json design = parsedJson(found->second);
    source.program = textField(design, "program");
    const std::string file = textField(design, "program_file");
    source.programFile = file.starts_with(kProgramFolder) ? keptName(file) : std::string();
    if (source.program.empty() || !source.files.contains(source.programFile))
        return makeError("schedule-form",
                         "DESIGN.json of " + inQuotes(source.path) + " names no program",
                         "export it again");
    if (design.contains("memory") && !textField(design["memory"], "module").empty())
        source.kind = ExportKind::Memory;
    else if (design.contains("stream"))
        source.kind = ExportKind::Stream;
    return ok();
}

} // namespace

Diagnostic damaged(const std::string& message) {
    return makeError("export-damaged", message, "export it again");
}

std::string nameOfProgramFile(const std::string& path) {
    const fs::path given(path);
    const bool inside = given.is_relative() && path.find('\0') == std::string::npos &&
                        std::ranges::find(given, fs::path("..")) == given.end();
    const fs::path name = given.lexically_normal();
    return inside && name.has_filename() && name != "." ? kProgramFolder + name.generic_string()
                                                        : std::string();
}

bool isIdentifier(std::string_view name) {
    constexpr std::size_t kLongest = 1024;
    return !name.empty() && name.size() <= kLongest && !(name[0] >= '0' && name[0] <= '9') &&
           std::ranges::all_of(name, isWordPart);
}

Result<ExportFolder> readExport(const std::string& path) {
    ExportFolder source;
    source.path = path;
    const auto manifest = readManifest(source);
    if (!manifest)
        return manifest.error();
    std::size_t left = files::kMostBytes;
    for (const Json& entry : (*manifest)["files"])
        if (Status status = readFile(entry, source, left); !status)
            return status.error();
    if (Status status = readDesign(source); !status)
        return status.error();
    if (Status status = checkStrays(source); !status)
        return status.error();
    return source;
}

Json designOf(const ExportFolder& source) {
    return parsedJson(source.files.at(kDesign));
}

Status checkBench(const ExportFolder& source, const files::FolderFiles& bench) {
    const auto refuse = [](const std::string& name) {
        return damaged(inQuotes(name) + " is not the bench of this design");
    };
    for (const auto& [name, text] : bench) {
        const auto found = source.files.find(name);
        if (found == source.files.end() || found->second != text)
            return refuse(name);
    }
    for (const auto& [name, text] : source.files)
        if (name.starts_with("tb/") && !bench.contains(name))
            return refuse(name);
    return ok();
}

} // namespace marquetry::hdl
