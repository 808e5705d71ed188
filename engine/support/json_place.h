// Where values are in a JSON text: the JSON library keeps no places, and messages name them.
//
// The text must be one that the library parses. Complexity: linear in the text for each question,
// so it is asked only for what is wrong. Thread rule: pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace marquetry {

/// From the outermost value inwards: names of members, and numbers of entries from 0.
using JsonPath = std::vector<std::string>;

/// "streams.fir.circuits[2].clocks"; empty for the outermost value.
std::string pathText(const JsonPath& path);

/// The byte at which the value begins; that of the innermost value around it that is there, when it
/// is not. Of members that are there twice, the last, as the library reads them.
std::size_t byteOf(std::string_view json, const JsonPath& path);

} // namespace marquetry
