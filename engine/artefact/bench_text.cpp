#include "engine/artefact/bench_text.h"

#include "engine/support/assert.h"

namespace marquetry::hdl {

std::string range(int width) {
    return width == 1 ? "" : cat("[", width - 1, ":0] ");
}

std::string literal(int width, std::int64_t value) {
    ENGINE_ASSERT(width >= 1 && width <= 64, "literals have 1 to 64 bits");
    auto bits = static_cast<std::uint64_t>(value);
    if (width < 64)
        bits &= (std::uint64_t{1} << width) - 1;
    return cat(width, "'h", std::hex, bits);
}

std::string slice(const std::string& name, int width, int high, int low) {
    if (low == 0 && high == width - 1)
        return name;
    return high == low ? cat(name, "[", low, "]") : cat(name, "[", high, ":", low, "]");
}

std::string filledIn(std::string text, const BenchPlaces& places) {
    for (const auto& [place, value] : places)
        if (const std::size_t at = text.find(place); at != std::string::npos)
            text.replace(at, place.size(), value);
    return text;
}

} // namespace marquetry::hdl
