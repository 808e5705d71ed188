#include "engine/sweep/sweep.h"

#include "engine/session/design_file.h"
#include "engine/support/files.h"
#include "engine/support/json_depth.h"
#include "engine/support/numbers.h"
#include "engine/support/quote.h"
#include "engine/support/sha256.h"

#include <array>
#include <filesystem>
#include <functional>
#include <map>

namespace marquetry::sweep {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::size_t kMostSweepBytes = std::size_t{256} << 20;
constexpr std::size_t kMostOutcomeBytes = std::size_t{1} << 20;
constexpr std::size_t kKeyDigits = 24;

std::string sweepPath(const std::string& folder) {
    return folder + "/sweep.json";
}

std::string outcomePath(const std::string& folder, const Point& point) {
    return folder + "/points/" + point.key + ".json";
}

Json settingsJson(const session::Settings& settings) {
    return session::toJson(session::DesignChoices{settings, {}})["settings"];
}

Json reportJson() {
    return {{"marquetry", MARQUETRY_VERSION}, {"schema", 1}};
}

Status write(const std::string& path, std::string_view bytes, const char* kind,
             const std::function<bool(std::string_view)>& isOfKind) {
    const auto written = files::write(path, bytes, {kind, isOfKind, {}, false});
    return written ? ok() : Status(written.error());
}

bool isOurs(std::string_view text, const char* member) {
    const Json json = parsedJson(text);
    return json.is_object() && json.contains("marquetry") && json.contains(member);
}

/// A folder that holds a sweep, nothing, or is not there.
Status checkFolder(const std::string& folder) {
    std::error_code ignored;
    if (!fs::exists(folder, ignored) || fs::exists(sweepPath(folder), ignored) ||
        fs::is_empty(folder, ignored))
        return ok();
    return makeError("output-exists",
                     inQuotes(folder) + " holds other things than a sweep of Marquetry",
                     "name an empty folder, or one that is not there yet");
}

std::string keyOf(const Json& settings, const std::string& device, const std::string& programHash) {
    Json all = {{"version", MARQUETRY_VERSION}, {"program", programHash}, {"settings", settings}};
    if (!device.empty())
        all["device"] = sha256(device);
    return sha256(all.dump()).substr(0, kKeyDigits);
}

/// What the file of a device holds; empty for the name of one that is shipped.
Result<std::string> deviceText(const std::string& device) {
    if (!device.ends_with(".json"))
        return std::string();
    return files::read(device, kMostOutcomeBytes);
}

double numberIn(const Json& json, const char* name) {
    const auto at = json.find(name);
    return at != json.end() && at->is_number() ? at->get<double>() : 0;
}

std::int64_t integerIn(const Json& json, const char* name) {
    const auto at = json.find(name);
    return at != json.end() && at->is_number_integer() ? at->get<std::int64_t>() : 0;
}

std::string textIn(const Json& json, const char* name) {
    const auto at = json.find(name);
    return at != json.end() && at->is_string() ? at->get<std::string>() : std::string();
}

Json toJson(const Outcome& outcome) {
    Json json = {{"status", outcome.status}, {"message", outcome.message}};
    if (!outcome.hasDesign())
        return json;
    json["exportable"] = outcome.exportable;
    json["cycles"] = outcome.cycles;
    json["frames"] = outcome.frames;
    json["cycles_per_frame"] = outcome.cyclesPerFrame();
    json["lower_bound"] = outcome.lowerBound;
    json["dsp"] = outcome.resources.dsp;
    json["bram"] = outcome.resources.bram;
    json["lut"] = outcome.resources.lut;
    json["ff"] = outcome.resources.ff;
    json["clock_mhz"] = outcome.clockMhz;
    json["gops"] = outcome.gops;
    json["utilisation"] = outcome.utilisation ? Json(*outcome.utilisation) : Json();
    return json;
}

Outcome outcomeFrom(const Json& json) {
    Outcome outcome;
    outcome.status = textIn(json, "status");
    outcome.message = textIn(json, "message");
    outcome.cycles = integerIn(json, "cycles");
    if (!outcome.hasDesign())
        return outcome;
    outcome.exportable = json.value("exportable", Json()) == Json(true);
    outcome.frames = std::max<std::int64_t>(1, integerIn(json, "frames"));
    outcome.lowerBound = integerIn(json, "lower_bound");
    outcome.resources.dsp = numberIn(json, "dsp");
    outcome.resources.bram = numberIn(json, "bram");
    outcome.resources.lut = numberIn(json, "lut");
    outcome.resources.ff = numberIn(json, "ff");
    outcome.clockMhz = numberIn(json, "clock_mhz");
    outcome.gops = numberIn(json, "gops");
    if (const auto at = json.find("utilisation"); at != json.end() && at->is_number())
        outcome.utilisation = at->get<double>();
    return outcome;
}

/// One field of a table.
std::string field(const Json& value) {
    std::string text = value.is_string()         ? value.get<std::string>()
                       : value.is_null()         ? std::string()
                       : value.is_number_float() ? numberText(value.get<double>())
                                                 : value.dump();
    if (text.find_first_of(",\"\r\n") == std::string::npos)
        return text;
    std::string quoted = "\"";
    for (const char c : text)
        quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + "\"";
}

/// Lists and objects as the command line takes them.
Json asOption(const Json& value) {
    if (!value.is_array() && !value.is_object())
        return value;
    std::string text;
    for (const auto& [name, entry] : value.items()) {
        text += text.empty() ? "" : ",";
        text += value.is_object() ? name + "=" + numberText(entry.get<double>())
                                  : entry.get<std::string>();
    }
    return text;
}

constexpr std::array kOptions = {"device",  "clock", "bandwidth", "limit",   "objective",
                                 "batch",   "cost",  "method",    "without", "overlap",
                                 "streams", "time",  "steps",     "seed"};
constexpr std::array kFigures = {
    "status", "exportable", "cycles",    "frames", "cycles_per_frame", "lower_bound", "dsp", "bram",
    "lut",    "ff",         "clock_mhz", "gops",   "utilisation",      "message"};

} // namespace

Result<Sweep> makeSweep(const Grid& grid, const std::string& file, const ir::Program& program) {
    Sweep sweep{file, program.name, session::hashOf(program), {}};
    std::map<std::string, std::string> devices;
    for (const session::Settings& settings : grid.points) {
        auto device = devices.find(settings.device);
        if (device == devices.end()) {
            auto text = deviceText(settings.device);
            if (!text)
                return text.error();
            device = devices.emplace(settings.device, *std::move(text)).first;
        }
        sweep.points.push_back(
            {settings, keyOf(settingsJson(settings), device->second, sweep.programHash)});
    }
    return sweep;
}

Status begin(const std::string& folder, const Sweep& sweep) {
    if (const Status free = checkFolder(folder); !free)
        return free;
    if (const auto made = files::Target::resolve(folder + "/points/KEY.json", true); !made)
        return made.error();
    Json json = reportJson();
    json["sweep"] = {{"file", sweep.file}, {"item", sweep.item}, {"sha256", sweep.programHash}};
    json["points"] = Json::array();
    for (const Point& point : sweep.points)
        json["points"].push_back({{"key", point.key}, {"settings", settingsJson(point.settings)}});
    return write(sweepPath(folder), json.dump(1) + "\n", "a sweep of Marquetry",
                 [](std::string_view text) { return isOurs(text, "sweep"); });
}

Result<Sweep> readSweep(const std::string& folder) {
    const auto text = files::read(sweepPath(folder), kMostSweepBytes);
    if (!text)
        return text.error();
    const Json json = parsedJson(*text);
    Diagnostic wrong =
        makeError("sweep-form", inQuotes(sweepPath(folder)) + " describes no sweep of Marquetry",
                  "begin the sweep again, with its program and its grid");
    if (!json.is_object() || !json.contains("sweep") || !json.contains("points") ||
        !json["points"].is_array())
        return wrong;
    Sweep sweep{textIn(json["sweep"], "file"),
                textIn(json["sweep"], "item"),
                textIn(json["sweep"], "sha256"),
                {}};
    for (const Json& entry : json["points"]) {
        auto choices = session::choicesFrom(entry);
        if (!choices || textIn(entry, "key").empty())
            return wrong;
        sweep.points.push_back({std::move(choices->settings), textIn(entry, "key")});
    }
    return sweep;
}

Outcome outcomeOf(const session::Exploration& exploration) {
    const extract::ExtractResult& found = exploration.extraction;
    Outcome outcome;
    outcome.status = extract::toString(found.status);
    if (!found.design) {
        if (!found.infeasible.empty())
            outcome.message = found.infeasible.front().message;
        return outcome;
    }
    const design::Design& design = *found.design;
    const Status exportable = session::exportable(design);
    outcome.exportable = exportable.has_value();
    if (!exportable)
        outcome.message = exportable.error().front().message;
    outcome.cycles = design.cycles;
    outcome.frames = design.frames;
    outcome.lowerBound = static_cast<std::int64_t>(found.lowerBound);
    outcome.resources = design.resources;
    outcome.clockMhz = design.clockMhz;
    outcome.gops = design.gops;
    outcome.utilisation = design.utilisation;
    return outcome;
}

Status writeOutcome(const std::string& folder, const Point& point, const Outcome& outcome) {
    Json json = reportJson();
    json["key"] = point.key;
    json["settings"] = settingsJson(point.settings);
    json["outcome"] = toJson(outcome);
    return write(outcomePath(folder, point),
                 json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n",
                 "a result of a sweep", [](std::string_view) { return true; });
}

std::optional<Outcome> outcomeOf(const std::string& folder, const Point& point) {
    const auto text = files::read(outcomePath(folder, point), kMostOutcomeBytes);
    if (!text)
        return std::nullopt;
    const Json json = parsedJson(*text);
    if (!json.is_object() || textIn(json, "key") != point.key || !json.contains("outcome"))
        return std::nullopt;
    Outcome outcome = outcomeFrom(json["outcome"]);
    if (outcome.status.empty())
        return std::nullopt;
    return outcome;
}

std::vector<std::optional<Outcome>> outcomesOf(const std::string& folder, const Sweep& sweep) {
    std::vector<std::optional<Outcome>> outcomes;
    outcomes.reserve(sweep.points.size());
    for (const Point& point : sweep.points)
        outcomes.push_back(outcomeOf(folder, point));
    return outcomes;
}

std::vector<std::size_t> openPoints(const std::vector<std::optional<Outcome>>& outcomes) {
    std::vector<std::size_t> open;
    for (std::size_t k = 0; k < outcomes.size(); ++k)
        if (!outcomes[k])
            open.push_back(k);
    return open;
}

std::string table(const Sweep& sweep, const std::vector<std::optional<Outcome>>& outcomes) {
    std::string csv = "point";
    for (const char* name : kOptions)
        csv += std::string(",") + name;
    for (const char* name : kFigures)
        csv += std::string(",") + name;
    csv += "\r\n";
    for (std::size_t k = 0; k < sweep.points.size(); ++k) {
        if (!outcomes[k])
            continue;
        const Json settings = settingsJson(sweep.points[k].settings);
        const Json outcome = toJson(*outcomes[k]);
        csv += std::to_string(k);
        for (const char* name : kOptions)
            csv += "," + field(asOption(settings.value(name, Json())));
        for (const char* name : kFigures)
            csv += "," + field(outcome.value(name, Json()));
        csv += "\r\n";
    }
    return csv;
}

Status writeTable(const std::string& folder, std::string_view csv) {
    return write(folder + "/sweep.csv", csv, "the table of a sweep",
                 [](std::string_view text) { return text.starts_with("point,device,"); });
}

} // namespace marquetry::sweep
