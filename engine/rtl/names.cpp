#include "engine/rtl/names.h"

#include "engine/rtl/reserved_words.h"

namespace marquetry::hdl {

void NameTable::take(std::string_view name) {
    taken_.insert(rtl::lowerCase(name));
}

std::string NameTable::part(std::string_view name) {
    const std::string base = identifier(name);
    std::string result = base;
    for (int i = 2; taken_.contains(rtl::lowerCase(result)); ++i)
        result = base + "_" + std::to_string(i);
    take(result);
    return result;
}

} // namespace marquetry::hdl
