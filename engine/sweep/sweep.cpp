#include "engine/sweep/sweep.h"

#include "engine/session/design_file.h"
#include "engine/session/stream_rates.h"
#include "engine/support/files.h"
#include "engine/support/json_depth.h"
#include "engine/support/numbers.h"
#include "engine/support/quote.h"
#include "engine/support/sha256.h"
#include "engine/sweep/json_members.h"

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

/// Of a stream those that it has, and the time where one is given.
Json settingsJson(const GridPoint& point) {
    Json all = session::toJson(session::DesignChoices{point.settings, {}})["settings"];
    if (!point.throughput)
        return all;
    Json json = {{"device", all["device"]}};
    if (point.settings.clockMhz)
        json["clock"] = all["clock"];
    json["throughput"] = session::toText(*point.throughput);
    json["without"] = all["without"];
    if (point.timeGiven)
        json["time"] = all["time"];
    return json;
}

/// The reverse; nothing for what was not written so.
std::optional<GridPoint> settingsFrom(const Json& entry) {
    auto choices = session::choicesFrom(entry);
    if (!choices)
        return std::nullopt;
    GridPoint point{std::move(choices->settings), {}, false};
    const auto settings = entry.find("settings");
    if (settings == entry.end() || !settings->contains("throughput"))
        return point;
    point.throughput = session::throughputNamed(textIn(*settings, "throughput"));
    point.timeGiven = settings->contains("time");
    return point.throughput ? std::optional(std::move(point)) : std::nullopt;
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

constexpr std::array kOptions = {"device",  "clock",      "bandwidth", "limit",  "objective",
                                 "batch",   "throughput", "cost",      "method", "without",
                                 "overlap", "streams",    "time",      "steps",  "seed"};
constexpr std::array kFigures = {
    "status", "exportable", "cycles",    "frames", "cycles_per_frame", "lower_bound", "dsp", "bram",
    "lut",    "ff",         "clock_mhz", "gops",   "utilisation"};
constexpr std::array kStreamFigures = {"latency", "path_ps"};

std::vector<const char*> figuresOf(const Sweep& sweep) {
    std::vector<const char*> figures(kFigures.begin(), kFigures.end());
    if (!sweep.points.empty() && sweep.points.front().throughput)
        figures.insert(figures.end(), kStreamFigures.begin(), kStreamFigures.end());
    figures.push_back("message");
    return figures;
}

} // namespace

Result<Sweep> makeSweep(const Grid& grid, const std::string& file, const SweptItem& item) {
    Sweep sweep{file, item.name(), hashOf(item), {}};
    std::map<std::string, std::string> devices;
    for (const GridPoint& point : grid.points) {
        auto device = devices.find(point.settings.device);
        if (device == devices.end()) {
            auto text = deviceText(point.settings.device);
            if (!text)
                return text.error();
            device = devices.emplace(point.settings.device, *std::move(text)).first;
        }
        sweep.points.push_back(
            {point, keyOf(settingsJson(point), device->second, sweep.programHash)});
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
        json["points"].push_back({{"key", point.key}, {"settings", settingsJson(point)}});
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
        auto point = settingsFrom(entry);
        if (!point || textIn(entry, "key").empty())
            return wrong;
        sweep.points.push_back({*std::move(point), textIn(entry, "key")});
    }
    return sweep;
}

Status writeOutcome(const std::string& folder, const Point& point, const Outcome& outcome) {
    Json json = reportJson();
    json["key"] = point.key;
    json["settings"] = settingsJson(point);
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
    const std::vector<const char*> figures = figuresOf(sweep);
    std::string csv = "point";
    for (const char* name : kOptions)
        csv += std::string(",") + name;
    for (const char* name : figures)
        csv += std::string(",") + name;
    csv += "\r\n";
    for (std::size_t k = 0; k < sweep.points.size(); ++k) {
        if (!outcomes[k])
            continue;
        const Json settings = settingsJson(sweep.points[k]);
        const Json outcome = toJson(*outcomes[k]);
        csv += std::to_string(k);
        for (const char* name : kOptions)
            csv += "," + field(asOption(settings.value(name, Json())));
        for (const char* name : figures)
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
