#include "engine/hdl/names.h"

#include "engine/hdl/reserved_words.h"

#include <algorithm>

namespace marquetry::hdl {

namespace {

/// Verilator writes names of more than 127 characters as others: "s_axis_" + part + "_tvalid",
/// with room for the endings that tell names apart.
constexpr std::size_t kLongestPart = 108;

bool plain(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

} // namespace

std::string identifier(std::string_view name) {
    std::string result;
    for (const char c : name) {
        if (plain(c))
            result += c;
        else if (!result.empty() && result.back() != '_')
            result += '_';
    }
    result.resize(std::min(result.size(), kLongestPart));
    while (!result.empty() && result.back() == '_')
        result.pop_back();
    if (result.empty() || (result.front() >= '0' && result.front() <= '9'))
        result = "n" + result;
    // Only as written: names of ports stay what they have always been.
    const bool reserved = result == lowerCase(result) && isReserved(result, kNoPart);
    return reserved ? result + "_x" : result;
}

void NameTable::take(std::string_view name) {
    taken_.insert(lowerCase(name));
}

std::string NameTable::part(std::string_view name) {
    return give(name, {""}, "");
}

std::string NameTable::unique(std::string_view name, const NameEndings& endings) {
    return give(name, endings, kNoSignal);
}

std::string NameTable::uniqueModule(std::string_view name, const NameEndings& endings) {
    return give(name, endings, kNoModule);
}

std::string NameTable::give(std::string_view name, const NameEndings& endings,
                            std::string_view sources) {
    const auto any = [&](const std::string& stem, const auto& test) {
        return std::ranges::any_of(endings,
                                   [&](const std::string& ending) { return test(stem + ending); });
    };
    const auto reserved = [&](const std::string& word) { return isReserved(word, sources); };
    const auto taken = [&](const std::string& word) { return taken_.contains(lowerCase(word)); };
    std::string base = identifier(name);
    std::string result = base;
    for (int i = 2; any(result, reserved) || any(result, taken);) {
        if (any(result, reserved)) {
            base += "_x";
            result = base;
            i = 2;
        } else {
            result = base + "_" + std::to_string(i++);
        }
    }
    for (const std::string& ending : endings)
        take(result + ending);
    return result;
}

} // namespace marquetry::hdl
