#include "engine/session/design_file.h"

#include "engine/design/schedule_json.h"
#include "engine/ir/printer.h"
#include "engine/support/json.h"
#include "engine/support/json_depth.h"
#include "engine/support/quote.h"
#include "engine/support/sha256.h"

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

/// Where the program is that the design was made of.
std::string programOf(const Json& json, const std::string& path) {
    const fs::path folder = fs::path(path).parent_path();
    const std::string beside = stringIn(json, "program_file");
    if (!beside.empty() && isThere(folder / beside))
        return (folder / beside).string();
    const std::string named = stringIn(json["source"], "file");
    const bool elsewhere = !named.empty() && !isThere(named) && isThere(folder / named);
    return elsewhere ? (folder / named).string() : named;
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

Result<DesignFile> readDesignFile(const std::string& path) {
    auto text = files::read(path, kMostDesignBytes);
    if (!text)
        return text.error();
    const Json json =
        nestsTooDeep(*text) ? Json(Json::value_t::discarded) : Json::parse(*text, nullptr, false);
    if (!json.is_object())
        return malformed(path, "is not a JSON object");
    DesignFile design;
    design.path = path;
    if (!json.contains("design") || !json.contains("source") || !json["source"].is_object())
        return malformed(path, "holds no design with its source");
    design.programFile = programOf(json, path);
    design.item = stringIn(json["source"], "item");
    design.programHash = stringIn(json["source"], "sha256");
    design.device = stringIn(json, "device");
    design.cost = stringIn(json, "cost");
    if (design.programFile.empty() || design.item.empty())
        return malformed(path, "names no program");
    if (design.device.empty() || design.cost.empty())
        return malformed(path, "names no device or no cost model");
    if (!isThere(design.programFile))
        return makeError("file-missing",
                         "there is no file " + inQuotes(design.programFile) +
                             ", the program of the design in " + inQuotes(path),
                         "start from the folder where the design was explored, or explore again");
    const Json resources =
        json["design"].is_object() ? json["design"].value("resources", Json()) : Json();
    if (resources.is_object() && resources.contains("dsp") && resources["dsp"].is_number())
        design.dsp = resources["dsp"].get<double>();
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

Status checkFresh(const DesignFile& design, const ir::Program& program) {
    if (design.programHash == hashOf(program))
        return ok();
    return makeError("design-stale",
                     inQuotes(design.programFile) + " is not the program that " +
                         inQuotes(design.path) + " was made of: it has changed since",
                     "explore the program again");
}

Result<hdl::ExportRequest> makeExportRequest(const DesignFile& design, const ir::Program& program,
                                             const std::string& text,
                                             const ExportOptions& options) {
    if (Status fresh = checkFresh(design, program); !fresh)
        return fresh.error();
    if (!design.schedule)
        return makeError("not-exportable",
                         "the design of " + inQuotes(design.path) + " cannot be exported",
                         "choose limits under which everything stays on chip");
    auto request = requestOf(*design.schedule, program, text, options);
    if (!request)
        return request.error();
    request->designJson = design.text;
    request->vendor = vendorOf(design.device);
    return request;
}

} // namespace marquetry::session
