// Numbers that are not of the language: infinity, and how numbers read in messages and commands.
//
// Thread rule: pure.
#pragma once

#include <limits>
#include <string>

namespace marquetry {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// With up to twelve significant digits and no zeros at the end: "0.25", "1e+20".
std::string numberText(double value);

/// Likewise, rounded to hundredths.
std::string roundedText(double value);

} // namespace marquetry
