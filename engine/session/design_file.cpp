#include "engine/session/design_file.h"

#include "engine/design/batch.h"
#include "engine/design/schedule_json.h"
#include "engine/ir/printer.h"
#include "engine/support/json.h"
#include "engine/support/json_depth.h"
#include "engine/support/quote.h"
#include "engine/support/sha256.h"

#include <algorithm>
#include <filesystem>

namespace marquetry::session {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::size_t kMostDesignBytes = std::size_t{256} << 20;

std::string stringIn(const Json& json, const char* name) {
    const bool present = json.is_object() && json.contains(name) && json[name].is_string();
    return present ? json[name].get<std::string>() : std::string();
}

Diagnostic malformed(const std::string& path, const std::string& what) {
    return makeError("design-form", inQuotes(path) + " " + what,
                     "name a .mq file, or a DESIGN.json that `marquetry explore FILE --out "
                     "DESIGN.json` wrote");
}

bool isThere(const fs::path& path) {
    std::error_code ignored;
    return fs::is_regular_file(path, ignored);
}

/// A file that was named where the design was explored, or from the folder of DESIGN.json.
std::string foundFrom(const fs::path& folder, const std::string& named) {
    const bool elsewhere = !named.empty() && !isThere(named) && isThere(folder / named);
    return elsewhere ? (folder / named).string() : named;
}

/// Where the program is that the design was made of.
std::string programOf(const Json& json, const fs::path& folder) {
    const std::string beside = stringIn(json, "program_file");
    if (!beside.empty() && isThere(folder / beside))
        return (folder / beside).string();
    return foundFrom(folder, stringIn(json["source"], "file"));
}

/// Of a file without settings: the device and the cost model alone.
Result<DesignChoices> choicesOf(const Json& json, const std::string& path) {
    const bool hashed = json.contains("settings") || json.contains("design_sha256");
    if (hashed && hashOfDesign(json) != stringIn(json, "design_sha256"))
        return malformed(path, "holds a design that is not as it was written");
    auto choices = choicesFrom(json);
    if (!choices || json.contains("settings"))
        return choices;
    const auto cost = design::costModelNamed(stringIn(json, "cost"));
    choices->settings.device = stringIn(json, "device");
    if (choices->settings.device.empty() || !cost)
        return malformed(path, "names no device or no cost model");
    choices->settings.cost = *cost;
    return choices;
}

/// None of a design that has none.
Result<std::optional<design::Schedule>> scheduleOf(const Json& json, const std::string& path) {
    if (!json.contains("schedule"))
        return std::optional<design::Schedule>();
    if (sha256(json["schedule"].dump()) != stringIn(json, "schedule_sha256"))
        return malformed(path, "holds a schedule that is not as it was written");
    auto schedule = design::scheduleFromJson(json["schedule"]);
    if (!schedule)
        return schedule.error();
    return std::optional(*std::move(schedule));
}

} // namespace

bool isDesignFile(const std::string& path) {
    return path.ends_with(".json");
}

namespace {

Result<Json> parsedDesign(const std::string& text, const std::string& path) {
    Json json = parsedJson(text);
    if (!json.is_object())
        return malformed(path, "is not a JSON object");
    if (!json.contains("design") || !json.contains("source") || !json["source"].is_object())
        return malformed(path, "holds no design with its source");
    return json;
}

double numberIn(const Json& json, const char* name) {
    const bool present = json.is_object() && json.contains(name) && json[name].is_number();
    return present ? json[name].get<double>() : 0;
}

/// For people: what is not there is 0.
void readFigures(const Json& found, DesignFile& design) {
    constexpr double kMostCycles = 1e18;
    const Json resources = found.is_object() ? found.value("resources", Json()) : Json();
    design.cycles =
        static_cast<std::int64_t>(std::clamp(numberIn(found, "cycles"), 0.0, kMostCycles));
    design.frames = static_cast<std::int64_t>(
        std::clamp<double>(numberIn(found, "frames"), 1, design::kMostFrames));
    design.resources.dsp = numberIn(resources, "dsp");
    design.resources.lut = numberIn(resources, "lut");
    design.resources.ff = numberIn(resources, "ff");
    design.resources.bram = numberIn(resources, "bram");
}

} // namespace

Result<DesignFile> readDesignFile(const std::string& path) {
    auto text = files::read(path, kMostDesignBytes);
    if (!text)
        return text.error();
    const auto parsed = parsedDesign(*text, path);
    if (!parsed)
        return parsed.error();
    const Json& json = *parsed;
    const fs::path folder = fs::path(path).parent_path();
    DesignFile design;
    design.path = path;
    design.programFile = programOf(json, folder);
    design.item = stringIn(json["source"], "item");
    design.programHash = stringIn(json["source"], "sha256");
    design.device = stringIn(json, "device");
    readFigures(json["design"], design);
    if (design.programFile.empty() || design.item.empty())
        return malformed(path, "names no program");
    auto choices = choicesOf(json, path);
    if (!choices)
        return choices.error();
    design.choices = *std::move(choices);
    design.choices.settings.device = foundFrom(folder, design.choices.settings.device);
    if (!isThere(design.programFile))
        return makeError("file-missing",
                         "there is no file " + inQuotes(design.programFile) +
                             ", the program of the design in " + inQuotes(path),
                         "start from the folder where the design was explored, or explore again");
    auto schedule = scheduleOf(json, path);
    if (!schedule)
        return schedule.error();
    design.schedule = *std::move(schedule);
    design.text = *std::move(text);
    return design;
}

std::string hashOf(const ir::Program& program) {
    ir::Program named = program;
    for (ir::Value& value : named.values)
        if (auto* const source = std::get_if<ir::FileSource>(&value.source))
            source->path = source->bytes ? sha256(*source->bytes) : std::string();
    return sha256(ir::print(named));
}

std::string hashOfDesign(const Json& json) {
    Json hashed = Json::array();
    for (const char* const name : {"device", "cost", "settings", "pins", "design"})
        hashed.push_back(json.contains(name) ? json[name] : Json());
    return sha256(hashed.dump(-1, ' ', false, Json::error_handler_t::replace));
}

Status checkFresh(const DesignFile& design, const ir::Program& program) {
    if (design.programHash == hashOf(program))
        return ok();
    return makeError("design-stale",
                     inQuotes(design.programFile) + " is not the program that " +
                         inQuotes(design.path) + " was made of: it has changed since",
                     "explore the program again");
}

Diagnostics staleWarning(const DesignFile& design, const ir::Program& program) {
    if (checkFresh(design, program))
        return {};
    return {makeWarning("design-stale",
                        "the program has changed since " + design.path + " was written",
                        "another design may be found")};
}

Diagnostic notExportable(const DesignFile& design) {
    return makeError("not-exportable",
                     "the design of " + inQuotes(design.path) + " cannot be exported",
                     "export the program itself: that says which hardware is missing");
}

Result<hdl::ExportRequest> makeExportRequest(const DesignFile& design, const ir::Program& program,
                                             const std::string& text,
                                             const ExportOptions& options) {
    if (Status fresh = checkFresh(design, program); !fresh)
        return fresh.error();
    if (!design.schedule)
        return notExportable(design);
    auto request = requestOf(*design.schedule, program, text, options);
    if (!request)
        return request.error();
    request->designJson = design.text;
    request->device = deviceOf(design.choices, design.device);
    return request;
}

} // namespace marquetry::session
