// Text of users (names, paths) as messages and commands show it.
//
// Complexity: linear. Thread rule: pure.
#pragma once

#include <string>
#include <string_view>

namespace marquetry {

/// The text with every character that a terminal would act on, and every byte that is not UTF-8,
/// written as an escape: "\x1b", "\xff". Line feeds and tabs stay when `lines` is true.
std::string printable(std::string_view text, bool lines = false);

/// 'text', printable: how messages show a path or a name.
std::string inQuotes(std::string_view text);

/// A JSON text whose strings hold no character that a terminal would act on: "\u009b" instead.
std::string printableJson(std::string_view json);

/// The text as one word of a POSIX shell; without quotes when it needs none.
std::string shellWord(std::string_view text);

} // namespace marquetry
