// Lines and columns of bytes in a text. Complexity: linear in the bytes before. Thread rule: pure.
#pragma once

#include "engine/support/diagnostic.h"

#include <cstddef>
#include <string_view>

namespace marquetry {

/// The place of the character that begins at this byte, or of the end of the text behind it.
SourceRange placeAt(std::string_view text, std::size_t byte);

} // namespace marquetry
