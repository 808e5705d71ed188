#include "engine/support/json_place.h"

#include "engine/support/json.h"

#include <algorithm>
#include <cctype>
#include <optional>

namespace marquetry {

namespace {

/// Goes over a text that is known to be well-formed.
class JsonWalk {
public:
    JsonWalk(std::string_view text, std::size_t at) : text_(text), at_(at) { skipSpace(); }

    std::size_t at() const { return at_; }

    /// Where the value begins that the name, or the number of an entry, leads to.
    std::optional<std::size_t> inner(const std::string& name) {
        const bool object = now() == '{';
        if (!object && now() != '[')
            return std::nullopt;
        std::optional<std::size_t> found;
        const char end = object ? '}' : ']';
        step();
        for (std::size_t entry = 0; at_ < text_.size() && now() != end; ++entry) {
            const std::string key = object ? takeName() : std::to_string(entry);
            if (key == name)
                found = at_;
            skipValue();
            if (now() == ',')
                step();
        }
        return found;
    }

private:
    char now() const { return at_ < text_.size() ? text_[at_] : '\0'; }

    void skipSpace() { at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size()); }

    void step() {
        ++at_;
        skipSpace();
    }

    void skipString() {
        for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_)
            at_ += text_[at_] == '\\' ? 1 : 0;
        step();
    }

    std::string takeName() {
        const std::size_t begin = at_;
        skipString();
        const auto quoted = text_.substr(begin, at_ - begin);
        const auto name = nlohmann::ordered_json::parse(quoted, nullptr, false);
        if (now() == ':')
            step();
        return name.is_string() ? name.get<std::string>() : std::string();
    }

    void skipValue() {
        int depth = 0;
        do {
            const char c = now();
            depth += c == '{' || c == '[' ? 1 : 0;
            depth -= c == '}' || c == ']' ? 1 : 0;
            if (c == '"')
                skipString();
            else if (depth == 0 && c != '}' && c != ']')
                skipWord();
            else
                step();
        } while (depth > 0 && at_ < text_.size());
    }

    /// A number, or true, false or null.
    void skipWord() {
        at_ = std::min(text_.find_first_of(",]} \t\r\n", at_), text_.size());
        skipSpace();
    }

    std::string_view text_;
    std::size_t at_;
};

bool isNumber(const std::string& part) {
    return !part.empty() &&
           std::ranges::all_of(part, [](unsigned char c) { return std::isdigit(c); });
}

} // namespace

std::string pathText(const JsonPath& path) {
    std::string text;
    for (const std::string& part : path)
        text += isNumber(part) ? "[" + part + "]" : (text.empty() ? "" : ".") + part;
    return text;
}

std::size_t byteOf(std::string_view json, const JsonPath& path) {
    std::size_t at = JsonWalk(json, 0).at();
    for (const std::string& part : path) {
        const auto inner = JsonWalk(json, at).inner(part);
        if (!inner)
            break;
        at = *inner;
    }
    return at;
}

} // namespace marquetry
