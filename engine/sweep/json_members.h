// Members of JSON objects that somebody else may have written: none where there is no member of the
// name, or one of another kind. Thread rule: pure.
#pragma once

#include "engine/support/json.h"

#include <cstdint>
#include <optional>
#include <string>

namespace marquetry::sweep {

inline std::optional<double> numberIn(const nlohmann::ordered_json& json, const char* name) {
    const auto at = json.find(name);
    return at != json.end() && at->is_number() ? std::optional(at->get<double>()) : std::nullopt;
}

inline std::optional<std::int64_t> integerIn(const nlohmann::ordered_json& json, const char* name) {
    const auto at = json.find(name);
    return at != json.end() && at->is_number_integer() ? std::optional(at->get<std::int64_t>())
                                                       : std::nullopt;
}

inline std::optional<bool> truthIn(const nlohmann::ordered_json& json, const char* name) {
    const auto at = json.find(name);
    return at != json.end() && at->is_boolean() ? std::optional(at->get<bool>()) : std::nullopt;
}

/// Empty: none.
inline std::string textIn(const nlohmann::ordered_json& json, const char* name) {
    const auto at = json.find(name);
    return at != json.end() && at->is_string() ? at->get<std::string>() : std::string();
}

} // namespace marquetry::sweep
