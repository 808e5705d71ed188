#include "engine/banking/scheme_pins.h"

#include "engine/banking/flat_maps.h"

#include <algorithm>

namespace marquetry::banking {

namespace {

/// Alpha counts modulo N · B.
bool sameAlpha(const ir::FlatMap& map, const Address& alpha) {
    return std::ranges::equal(alpha, map.alpha, [&](std::int64_t asked, std::int64_t own) {
        return asked % modulus(map) == own;
    });
}

bool sameMap(const ir::FlatMap& map, const ir::FlatMap& asked) {
    if (map.form == ir::MapForm::Parity)
        return map == asked;
    return map.form == asked.form && map.banks == asked.banks && map.block == asked.block &&
           sameAlpha(map, asked.alpha);
}

std::string pinnedList(const std::vector<std::int64_t>& numbers) {
    std::string joined;
    for (const std::int64_t n : numbers)
        joined += (joined.empty() ? "" : ", ") + std::to_string(n);
    return "(" + joined + ")";
}

} // namespace

bool meets(const Scheme& scheme, const SchemePins& pins) {
    const auto all = [&](auto condition) { return std::ranges::all_of(scheme.maps, condition); };
    return (pins.maps.empty() || std::ranges::equal(scheme.maps, pins.maps, sameMap)) &&
           (!pins.kind || scheme.kind() == *pins.kind) &&
           (pins.banks == 0 || scheme.banks() == pins.banks) &&
           (pins.block == 0 || all([&](const ir::FlatMap& map) {
                return map.banks == 1 || map.block == pins.block;
            })) &&
           (pins.alpha.empty() ||
            (scheme.kind() == Kind::Flat && sameAlpha(scheme.maps[0], pins.alpha))) &&
           (pins.copies == 0 || scheme.copies == pins.copies);
}

std::string text(const SchemePins& pins) {
    std::string result;
    const auto add = [&](const std::string& part) {
        result += (result.empty() ? "" : ", ") + part;
    };
    if (!pins.maps.empty()) {
        Scheme scheme;
        scheme.maps = pins.maps;
        add(scheme.text());
    }
    if (pins.kind)
        add(toString(*pins.kind));
    if (pins.banks > 0)
        add("N = " + std::to_string(pins.banks));
    if (pins.block > 0)
        add("B = " + std::to_string(pins.block));
    if (!pins.alpha.empty())
        add("alpha = " + pinnedList(pins.alpha));
    if (pins.copies > 0)
        add("copies = " + std::to_string(pins.copies));
    return result;
}

} // namespace marquetry::banking
