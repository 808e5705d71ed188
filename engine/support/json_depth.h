// How deep a JSON text nests: files of users are looked at before the JSON library, whose copies
// and printers recurse over the levels.
//
// Brackets inside strings do not count; the text need not be well formed. Complexity: linear.
// Thread rule: pure.
#pragma once

#include <string_view>

namespace marquetry {

/// No file format of ours nests deeper than a dozen levels.
inline constexpr int kMaxJsonDepth = 64;

bool nestsTooDeep(std::string_view json);

} // namespace marquetry
