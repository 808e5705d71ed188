#include "engine/sweep/grid.h"

#include "engine/session/setup.h"
#include "engine/support/json.h"
#include "engine/support/json_depth.h"
#include "engine/support/quote.h"
#include "engine/support/text_place.h"

#include <array>
#include <cmath>
#include <functional>
#include <map>

namespace marquetry::sweep {

namespace {

using Json = nlohmann::ordered_json;
using session::Settings;

/// What an option takes, put into settings; what is wrong with it, or nothing.
using Put = std::function<std::string(const Json&, Settings&)>;

struct Axis {
    const char* key;
    Put put;
};

std::string put(const Json& value, std::string& to) {
    if (!value.is_string())
        return "a text";
    to = value.get<std::string>();
    return {};
}

std::string put(const Json& value, bool& to) {
    if (!value.is_boolean())
        return "true or false";
    to = value.get<bool>();
    return {};
}

std::string put(const Json& value, double& to) {
    if (!value.is_number())
        return "a number";
    to = value.get<double>();
    return {};
}

template <std::integral Integer>
std::string put(const Json& value, Integer& to) {
    if (!value.is_number_unsigned() || !std::in_range<Integer>(value.get<std::uint64_t>()))
        return "a whole number that is not negative";
    to = static_cast<Integer>(value.get<std::uint64_t>());
    return {};
}

template <class Number>
std::string put(const Json& value, std::optional<Number>& to) {
    Number number = 0;
    std::string wrong = put(value, number);
    if (wrong.empty())
        to = number;
    return wrong;
}

template <class Word>
std::string putWord(const Json& value, std::optional<Word> (*named)(std::string_view),
                    const char* words, Word& to) {
    const auto word = value.is_string() ? named(value.get<std::string>()) : std::nullopt;
    if (!word)
        return words;
    to = *word;
    return {};
}

std::string putLimits(const Json& value, Settings& settings) {
    settings.limits.clear();
    if (!value.is_string())
        return "a text such as \"dsp=60,bram=20\"";
    const std::string text = value.get<std::string>();
    if (text.empty())
        return {};
    auto limits = session::parseLimits(text);
    if (!limits)
        return "a text such as \"dsp=60,bram=20\" (" + limits.error().front().message + ")";
    settings.limits = *std::move(limits);
    return {};
}

std::string putGroups(const Json& value, Settings& settings) {
    settings.without.clear();
    if (!value.is_string())
        return "a text such as \"sharing,padding\"";
    const std::string text = value.get<std::string>();
    for (std::size_t from = 0; from < text.size();) {
        const std::size_t comma = std::min(text.find(',', from), text.size());
        settings.without.push_back(text.substr(from, comma - from));
        from = comma + 1;
    }
    return {};
}

/// In the order of the points.
const std::array<Axis, 14>& axes() {
    static const std::array<Axis, 14> kAxes = {{
        {"device", [](const Json& v, Settings& s) { return put(v, s.device); }},
        {"clock", [](const Json& v, Settings& s) { return put(v, s.clockMhz); }},
        {"bandwidth", [](const Json& v, Settings& s) { return put(v, s.bandwidth); }},
        {"limit", putLimits},
        {"objective",
         [](const Json& v, Settings& s) {
             return putWord(v, design::objectiveNamed, "latency, throughput, area or front",
                            s.objective);
         }},
        {"batch", [](const Json& v, Settings& s) { return put(v, s.batch); }},
        {"cost",
         [](const Json& v, Settings& s) {
             return putWord(v, design::costModelNamed, "cycles, published or published-open",
                            s.cost);
         }},
        {"method",
         [](const Json& v, Settings& s) {
             return putWord(v, design::searchMethodNamed, "pool or milp", s.method);
         }},
        {"without", putGroups},
        {"overlap", [](const Json& v, Settings& s) { return put(v, s.overlap); }},
        {"streams", [](const Json& v, Settings& s) { return put(v, s.streams); }},
        {"time", [](const Json& v, Settings& s) { return put(v, s.seconds); }},
        {"steps", [](const Json& v, Settings& s) { return put(v, s.maxIterations); }},
        {"seed", [](const Json& v, Settings& s) { return put(v, s.seed); }},
    }};
    return kAxes;
}

/// Of a well-formed text: where the keys of its outermost object begin. Of one that is there twice,
/// the last, as the library reads it.
std::map<std::string, std::size_t, std::less<>> keyPlaces(std::string_view text) {
    std::map<std::string, std::size_t, std::less<>> places;
    int depth = 0;
    for (std::size_t k = 0; k < text.size(); ++k) {
        if (text[k] != '"') {
            depth += text[k] == '{' || text[k] == '[' ? 1 : 0;
            depth -= text[k] == '}' || text[k] == ']' ? 1 : 0;
            continue;
        }
        const std::size_t open = k;
        for (++k; k < text.size() && text[k] != '"'; ++k)
            k += text[k] == '\\' ? 1 : 0;
        const std::size_t next = text.find_first_not_of(" \t\r\n", k + 1);
        if (depth == 1 && next != std::string_view::npos && text[next] == ':')
            places[parsedJson<Json>(text.substr(open, k + 1 - open)).get<std::string>()] = open;
    }
    return places;
}

class GridReader {
public:
    GridReader(std::string_view text, const std::string& file) : text_(text), file_(file) {}

    Result<Grid> read() {
        if (nestsTooDeep(text_))
            return failure("grid-form", "lists or objects nest too deep", 0);
        try {
            json_ = Json::parse(text_);
        } catch (const Json::parse_error& error) {
            return failure("json-syntax", error.what(),
                           error.byte - std::min<std::size_t>(error.byte, 1));
        }
        if (!json_.is_object())
            return failure("grid-form", "a grid is one JSON object", 0);
        places_ = keyPlaces(text_);
        if (const Status known = checkKeys(); !known)
            return known.error();
        Grid grid;
        grid.points = {Settings{}};
        for (const Axis& axis : axes())
            if (const Status done = multiply(grid.points, axis); !done)
                return done.error();
        if (const Status done = readItem(grid.item); !done)
            return done.error();
        return grid;
    }

private:
    Diagnostic failure(const char* code, const std::string& message, std::size_t byte,
                       const std::string& hint = {}) const {
        Diagnostic error = makeError(code, message, hint);
        error.file = file_;
        error.range = placeAt(text_, byte);
        return error;
    }
    Diagnostic failure(const char* code, const std::string& message, const std::string& key,
                       const std::string& hint = {}) const {
        const auto place = places_.find(key);
        return failure(code, message, place == places_.end() ? 0 : place->second, hint);
    }

    Status checkKeys() const {
        std::string known = "item";
        for (const Axis& axis : axes())
            known += std::string(", ") + axis.key;
        for (const auto& [key, value] : json_.items()) {
            const bool isAxis =
                std::ranges::any_of(axes(), [&](const Axis& axis) { return key == axis.key; });
            if (key != "item" && !isAxis)
                return failure("grid-unknown", "a grid has no key " + inQuotes(key), key,
                               "keys: " + known);
        }
        return ok();
    }

    Status readItem(std::string& item) const {
        const auto at = json_.find("item");
        if (at == json_.end())
            return ok();
        if (!at->is_string())
            return failure("grid-form", "\"item\" takes one name of an item", "item");
        item = at->get<std::string>();
        return ok();
    }

    /// Each of the points once with every value of the axis.
    Status multiply(std::vector<Settings>& points, const Axis& axis) const {
        const auto at = json_.find(axis.key);
        if (at == json_.end())
            return ok();
        const Json values = at->is_array() ? *at : Json::array({*at});
        if (const Status checked = checkValues(values, axis); !checked)
            return checked;
        if (points.size() > kMostPoints / values.size())
            return failure("grid-form",
                           "the grid has more than " + std::to_string(kMostPoints) + " points",
                           axis.key);
        std::vector<Settings> all;
        all.reserve(points.size() * values.size());
        for (const Settings& point : points)
            for (const Json& value : values)
                axis.put(value, all.emplace_back(point));
        points = std::move(all);
        return ok();
    }

    /// What the engine says of a value does not depend on the other options.
    Status checkValues(const Json& values, const Axis& axis) const {
        if (values.empty())
            return failure("grid-form", std::string("\"") + axis.key + "\" has no value", axis.key,
                           "leave the key out for what is usual");
        for (std::size_t k = 0; k < values.size(); ++k) {
            Settings alone;
            const std::string what = "value " + std::to_string(k + 1) + " of \"" + axis.key + "\"";
            if (const std::string wanted = axis.put(values[k], alone); !wanted.empty())
                return failure("grid-form", what + " is not " + wanted, axis.key);
            if (const auto setup = session::makeSetup(alone, {}); !setup) {
                const Diagnostic& wrong = setup.error().front();
                return failure(wrong.code.c_str(), what + ": " + wrong.message, axis.key,
                               wrong.hint);
            }
        }
        return ok();
    }

    std::string_view text_;
    const std::string& file_;
    Json json_;
    std::map<std::string, std::size_t, std::less<>> places_;
};

} // namespace

Result<Grid> parseGrid(std::string_view text, const std::string& file) {
    return GridReader(text, file).read();
}

} // namespace marquetry::sweep
