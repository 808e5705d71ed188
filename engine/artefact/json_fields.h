// Fields of JSON objects that anybody may have written.
// Thread rule: pure.
#pragma once

#include "engine/support/json.h"

#include <string>

namespace marquetry::hdl {

/// 0 when it is missing or no integer.
inline std::int64_t integerField(const nlohmann::ordered_json& json, const char* name) {
    const bool number = json.is_object() && json.contains(name) && json[name].is_number_integer();
    return number ? json[name].get<std::int64_t>() : 0;
}

/// Empty when it is missing or no string.
inline std::string textField(const nlohmann::ordered_json& json, const char* name) {
    const bool string = json.is_object() && json.contains(name) && json[name].is_string();
    return string ? json[name].get<std::string>() : std::string();
}

} // namespace marquetry::hdl
