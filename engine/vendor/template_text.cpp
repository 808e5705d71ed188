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

} // namespace

std::string filledTemplate(const std::string& name, const TemplateValues& values) {
    const auto& all = detail::shippedTemplates();
    const auto found = all.find(name);
    ENGINE_ASSERT(found != all.end(), "a template has this name");
    const std::string_view text = found->second;
    std::string filled;
    std::size_t from = 0;
    for (std::size_t at = text.find('@'); at != text.npos; at = text.find('@', from)) {
        filled += text.substr(from, at - from);
        const std::size_t end = text.find('@', at + 1);
        const std::string key(end == text.npos ? "" : text.substr(at + 1, end - at - 1));
        if (!isKey(key)) {
            filled += '@';
            from = at + 1;
            continue;
        }
        const auto value = values.find(key);
        ENGINE_ASSERT(value != values.end(), "a key of a template has a value");
        filled += value->second;
        from = end + 1;
    }
    return filled + std::string(text.substr(from));
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
