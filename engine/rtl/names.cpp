#include "engine/rtl/names.h"

#include "engine/rtl/reserved_words.h"

#include <algorithm>

namespace marquetry::hdl {

using rtl::isReserved;
using rtl::kNoModule;
using rtl::kNoSignal;
using rtl::lowerCase;

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
