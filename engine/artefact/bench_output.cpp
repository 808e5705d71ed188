#include "engine/artefact/bench_output.h"

#include "engine/artefact/json_fields.h"
#include "engine/support/json_depth.h"
#include "engine/support/quote.h"
#include "engine/support/text_stream.h"

namespace marquetry::hdl {

namespace {

using Json = nlohmann::ordered_json;

/// What of a simulator's output is shown in a message, in bytes.
constexpr std::size_t kShownLog = 2000;

/// A line as JSON; values that a four-state simulator prints as x or z become "x". Discarded when
/// it is no object.
Json lineOf(const std::string& line) {
    std::string text;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const bool value = i > 0 && line[i - 1] == ':';
        const bool unknown = std::string_view("xXzZ").find(line[i]) != std::string_view::npos;
        text += value && unknown ? std::string("\"x\"") : std::string(1, line[i]);
    }
    // Whatever the line holds: deep nesting is none of ours.
    Json json = parsedJson(text);
    return json.is_object() ? json : Json(Json::value_t::discarded);
}

VerifyMismatch mismatchOf(const Json& json) {
    VerifyMismatch m;
    m.output = textField(json, "output");
    if (m.output.empty())
        m.output = textField(json, "lane");
    m.layer = textField(json, "memory");
    m.vector = integerField(json, "vector");
    m.index = integerField(json, "index");
    m.expected = integerField(json, "expected");
    m.got = integerField(json, "got");
    m.cycle = integerField(json, "cycle");
    m.what = textField(json, "what");
    if (m.what.empty())
        m.what = "element";
    for (const char* const name : {"expected", "got"})
        if (!textField(json, name).empty()) {
            m.what += " (unknown bits)";
            break;
        }
    return m;
}

void readNumbers(const Json& json, const char* field, std::vector<std::int64_t>& numbers) {
    if (!json.contains(field))
        return;
    numbers.clear();
    const auto add = [&](const Json& number) {
        numbers.push_back(number.is_number_integer() ? number.get<std::int64_t>() : 0);
    };
    if (json[field].is_number_integer())
        add(json[field]);
    else
        for (const Json& number : json[field])
            add(number);
}

void readLast(const Json& json, BenchOutput& read) {
    const bool counted = json.contains("mismatches") && json["mismatches"].is_number_integer();
    read.mismatchCount = integerField(json, "mismatches");
    read.ended = json.contains("pass") || counted;
    read.pass = (json.contains("pass") ? json["pass"] == true : counted) &&
                read.mismatchCount == 0 && read.mismatches.empty();
    readNumbers(json, "cycles", read.cycles);
    readNumbers(json, "stalls", read.stalls);
    readNumbers(json, "stalls_loads", read.stallsLoads);
    readNumbers(json, "stalls_stores", read.stallsStores);
}

} // namespace

BenchOutput readBench(const std::string& output) {
    BenchOutput read;
    TextIn lines(output);
    for (std::string line; !read.ended && std::getline(lines, line);) {
        const Json json = lineOf(line);
        if (json.is_discarded())
            continue;
        if (json.contains("mismatch"))
            read.mismatches.push_back(mismatchOf(json["mismatch"]));
        else if (json.contains("counted")) {
            read.cycles.push_back(integerField(json, "counted"));
            const auto count = [&](const char* field, std::vector<std::int64_t>& counts) {
                if (json.contains(field))
                    counts.push_back(integerField(json, field));
            };
            count("stalls", read.stalls);
            count("stalls_loads", read.stallsLoads);
            count("stalls_stores", read.stallsStores);
        } else if (json.contains("pass") || json.contains("steps"))
            readLast(json, read);
    }
    return read;
}

std::optional<std::vector<MoveStalls>> BenchOutput::moveStalls() const {
    if (stallsLoads.size() != stallsStores.size())
        return std::nullopt;
    std::vector<MoveStalls> both;
    for (std::size_t v = 0; v < stallsLoads.size(); ++v)
        both.push_back({stallsLoads[v], stallsStores[v]});
    return both;
}

void BenchOutput::endedBy(const std::string& output) {
    VerifyMismatch stopped;
    stopped.what = "the simulation did not end as it should";
    TextIn lines(output);
    for (std::string line; std::getline(lines, line);)
        if (lineOf(line).is_discarded() && line.find(": ") != std::string::npos) {
            stopped.what = printable(tail(line));
            break;
        }
    mismatches.push_back(std::move(stopped));
    ++mismatchCount;
    pass = false;
}

Diagnostic unfinished(const std::string& output) {
    return makeError("simulator-run", "the simulation did not end as it should:\n" + tail(output));
}

std::string tail(const std::string& text) {
    return printable(text.size() > kShownLog ? text.substr(text.size() - kShownLog) : text, true);
}

} // namespace marquetry::hdl
