// How deep a JSON text nests: files of users are looked at before the JSON library, whose copies
// and printers recurse over the levels, and those that nest too deep are not parsed.
//
// Brackets inside strings do not count; the text need not be well formed. Complexity: linear.
// Thread rule: pure.
#pragma once

#include "engine/support/json.h"

#include <string_view>

namespace marquetry {

/// No file format of ours nests deeper than a dozen levels.
inline constexpr int kMaxJsonDepth = 64;

bool nestsTooDeep(std::string_view json);

/// Discarded when the text is no JSON or nests too deep.
template <class Json = nlohmann::ordered_json>
Json parsedJson(std::string_view text) {
    return nestsTooDeep(text) ? Json(Json::value_t::discarded) : Json::parse(text, nullptr, false);
}

} // namespace marquetry
