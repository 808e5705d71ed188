// Tables as text: columns side by side for people, and fields of comma-separated values.
//
// Complexity: linear. Thread rule: pure.
#pragma once

#include <string>
#include <vector>

namespace marquetry {

using TextRow = std::vector<std::string>;

/// Aligned, the first row above the others; columns in which nothing but zeros stands are left out.
/// A code point takes a column. Rows have as many fields as `toTheRight`, or fewer.
std::string textColumns(const std::vector<TextRow>& rows, const std::vector<bool>& toTheRight);

/// In quotes, which are doubled within.
std::string csvText(const std::string& text);

} // namespace marquetry
