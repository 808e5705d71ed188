#include "engine/vendor/template_text.h"

#include "engine/support/assert.h"

#include <algorithm>
#include <cctype>

namespace marquetry::vendor {

namespace {

bool isKey(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](char c) {
        return c == '_' || std::isupper(static_cast<unsigned char>(c)) != 0;
    });
}

const std::string& valueOf(const TemplateValues& values, const std::string& key) {
    const auto value = values.find(key);
    ENGINE_ASSERT(value != values.end(), "a key of a template has a value");
    return value->second;
}

/// Without the lines between "@IF KEY@" and "@END@" of keys whose values are empty, and without
/// those two.
std::string wantedLines(std::string_view text, const TemplateValues& values) {
    constexpr std::string_view kIf = "@IF ", kEnd = "@END@";
    std::string wanted;
    bool takes = true;
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n') + 1);
        ENGINE_ASSERT(!line.empty(), "a template ends with a line");
        text.remove_prefix(line.size());
        if (line.starts_with(kIf))
            takes =
                !valueOf(values, std::string(line.substr(kIf.size(), line.size() - kIf.size() - 2)))
                     .empty();
        else if (line.starts_with(kEnd))
            takes = true;
        else if (takes)
            wanted += line;
    }
    return wanted;
}

} // namespace

std::string filledTemplate(const std::string& name, const TemplateValues& values) {
    const auto& all = detail::shippedTemplates();
    const auto found = all.find(name);
    ENGINE_ASSERT(found != all.end(), "a template has this name");
    const std::string text = wantedLines(found->second, values);
    std::string filled;
    std::size_t from = 0;
    for (std::size_t at = text.find('@'); at != std::string::npos; at = text.find('@', from)) {
        filled += text.substr(from, at - from);
        const std::size_t end = text.find('@', at + 1);
        const std::string key = end == std::string::npos ? "" : text.substr(at + 1, end - at - 1);
        if (!isKey(key)) {
            filled += '@';
            from = at + 1;
            continue;
        }
        filled += valueOf(values, key);
        from = end + 1;
    }
    return filled + text.substr(from);
}

std::string bracedList(const std::vector<std::string>& elements) {
    std::string list;
    for (const std::string& element : elements)
        list += (list.empty() ? "" : ", ") + element;
    return "{" + list + "}";
}

std::string plainText(std::string_view text) {
    std::string plain;
    for (const char c : text) {
        const bool taken = std::isalnum(static_cast<unsigned char>(c)) != 0;
        plain +=
            taken || std::string_view(" .,:+-_/()").find(c) != std::string_view::npos ? c : '?';
    }
    return plain;
}

} // namespace marquetry::vendor
