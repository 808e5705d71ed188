// SHA-256 (FIPS 180-4) of byte strings, for the manifests of exports.
// Complexity: linear. Thread rule: pure.
#pragma once

#include <string>
#include <string_view>

namespace marquetry {

/// 64 lower-case hex digits.
std::string sha256(std::string_view bytes);

} // namespace marquetry
