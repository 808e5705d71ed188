// Numbers and names of a schedule in JSON. What is not in the expected form throws FormError, which
// scheduleFromJson catches.
//
// Thread rule: pure.
#pragma once

#include "engine/ir/type.h"

#include "engine/support/json.h"

#include <stdexcept>
#include <string>

namespace marquetry::design::forms {

struct FormError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

template <class Enum, std::size_t N>
Enum enumNamed(const char* const (&names)[N], const nlohmann::ordered_json& json) {
    for (std::size_t i = 0; i < N; ++i)
        if (json == names[i])
            return static_cast<Enum>(i);
    throw FormError("unknown name " + json.dump());
}

inline std::string nameOf(ir::Scalar scalar) {
    return std::string(ir::info(scalar).name);
}

inline ir::Scalar scalarOf(const nlohmann::ordered_json& json) {
    const auto scalar = ir::scalarNamed(json.get<std::string>());
    if (!scalar)
        throw FormError("unknown scalar " + json.dump());
    return *scalar;
}

/// Extents of what can be built: far below any overflow of their products.
inline constexpr std::int64_t kLargestExtent = std::int64_t{1} << 31;

inline std::int64_t countOf(const nlohmann::ordered_json& json, const char* name,
                            std::int64_t least) {
    const nlohmann::ordered_json& number = json.at(name);
    const bool fits = number.is_number_integer() && number >= least && number <= kLargestExtent;
    if (!fits)
        throw FormError(std::string(name) + " is " + number.dump());
    return number.get<std::int64_t>();
}

template <class Id>
Id idOf(const nlohmann::ordered_json& json, std::size_t count) {
    const auto index = json.get<std::uint64_t>();
    if (index >= count)
        throw FormError("id " + json.dump() + " is out of range");
    return Id(static_cast<std::size_t>(index));
}

} // namespace marquetry::design::forms
