#include "engine/support/json_depth.h"
#include "engine/support/quote.h"
#include "engine/support/text_place.h"
#include "engine/sweep/grid_axes.h"

#include <algorithm>
#include <map>

namespace marquetry::sweep {

namespace {

using Json = nlohmann::ordered_json;
using frontend::ItemKind;

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

    Result<std::string> item() {
        if (const Status opened = open(); !opened)
            return opened.error();
        const auto at = json_.find("item");
        if (at == json_.end())
            return std::string();
        if (!at->is_string())
            return failure("grid-form", "\"item\" takes one name of an item", "item");
        return at->get<std::string>();
    }

    Result<Grid> read(ItemKind kind) {
        auto named = item();
        if (!named)
            return named.error();
        if (const Status known = checkKeys(kind); !known)
            return known.error();
        Grid grid{*std::move(named), {usualPoint(kind)}};
        for (const GridAxis& axis : axes())
            if (const Status done = multiply(grid.points, axis, kind); !done)
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

    Status open() {
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
        return ok();
    }

    static std::string keysOf(ItemKind kind) {
        std::string keys = "item";
        for (const GridAxis& axis : axes())
            if (axis.isOf(kind))
                keys += std::string(", ") + axis.key;
        return keys;
    }

    Status checkKeys(ItemKind kind) const {
        for (const auto& [key, value] : json_.items()) {
            if (key == "item")
                continue;
            const auto axis = std::ranges::find(axes(), key, &GridAxis::key);
            if (axis == axes().end())
                return failure("grid-unknown", "a grid has no key " + inQuotes(key), key,
                               "keys: " + keysOf(kind));
            if (!axis->isOf(kind))
                return ofAnother(kind, key);
        }
        return ok();
    }

    Diagnostic ofAnother(ItemKind kind, const std::string& key) const {
        if (kind == ItemKind::Stream)
            return failure("grid-unknown",
                           "the item is a stream, and " + inQuotes(key) + " is of designs", key,
                           "keys for streams: " + keysOf(kind));
        return failure("grid-unknown",
                       "the item is a design, and " + inQuotes(key) + " is of streams", key,
                       "keys for designs: " + keysOf(kind) +
                           "; how many frames a design does in a time is the \"objective\" "
                           "throughput, with a \"batch\"");
    }

    /// Each of the points once with every value of the axis.
    Status multiply(std::vector<GridPoint>& points, const GridAxis& axis, ItemKind kind) const {
        const auto at = json_.find(axis.key);
        if (at == json_.end())
            return ok();
        const Json values = at->is_array() ? *at : Json::array({*at});
        if (const Status checked = checkValues(values, axis, kind); !checked)
            return checked;
        if (points.size() > kMostPoints / values.size())
            return failure("grid-form",
                           "the grid has more than " + std::to_string(kMostPoints) + " points",
                           axis.key);
        std::vector<GridPoint> all;
        all.reserve(points.size() * values.size());
        for (const GridPoint& point : points)
            for (const Json& value : values)
                axis.put(value, all.emplace_back(point));
        points = std::move(all);
        return ok();
    }

    /// What the engine says of a value does not depend on the other options.
    Status checkValues(const Json& values, const GridAxis& axis, ItemKind kind) const {
        if (values.empty())
            return failure("grid-form", std::string("\"") + axis.key + "\" has no value", axis.key,
                           "leave the key out for what is usual");
        for (std::size_t k = 0; k < values.size(); ++k) {
            GridPoint alone = usualPoint(kind);
            const std::string what = "value " + std::to_string(k + 1) + " of \"" + axis.key + "\"";
            if (const std::string wanted = axis.put(values[k], alone); !wanted.empty())
                return failure("grid-form", what + " is not " + wanted, axis.key);
            if (const Status checked = checkPoint(alone); !checked) {
                const Diagnostic& wrong = checked.error().front();
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

Result<std::string> gridItem(std::string_view text, const std::string& file) {
    return GridReader(text, file).item();
}

Result<Grid> parseGrid(std::string_view text, const std::string& file, ItemKind kind) {
    return GridReader(text, file).read(kind);
}

} // namespace marquetry::sweep
