#include "engine/support/text_place.h"

#include <algorithm>

namespace marquetry {

SourceRange placeAt(std::string_view text, std::size_t byte) {
    SourceRange range{1, 1, 1, 2};
    for (std::size_t k = 0; k < std::min(byte, text.size()); ++k) {
        const bool newLine = text[k] == '\n';
        const bool inCharacter =
            k + 1 < text.size() && (static_cast<unsigned char>(text[k + 1]) & 0xC0) == 0x80;
        range.line += newLine;
        range.column = newLine ? 1 : range.column + !inCharacter;
    }
    range.endLine = range.line;
    range.endColumn = range.column + 1;
    return range;
}

} // namespace marquetry
