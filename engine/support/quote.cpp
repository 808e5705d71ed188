#include "engine/support/quote.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace marquetry {

namespace {

/// Bytes of the well-formed UTF-8 sequence at the start of `text`; 0 when there is none.
std::size_t sequenceLength(std::string_view text) {
    const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
    const unsigned char first = byte(0);
    const std::size_t length = first < 0x80   ? 1
                               : first < 0xc2 ? 0
                               : first < 0xe0 ? 2
                               : first < 0xf0 ? 3
                               : first < 0xf5 ? 4
                                              : 0;
    if (length == 0 || length > text.size())
        return 0;
    for (std::size_t k = 1; k < length; ++k)
        if ((byte(k) & 0xc0) != 0x80)
            return 0;
    const bool overlong = (first == 0xe0 && byte(1) < 0xa0) || (first == 0xf0 && byte(1) < 0x90);
    const bool surrogate = first == 0xed && byte(1) >= 0xa0;
    const bool tooLarge = first == 0xf4 && byte(1) >= 0x90;
    return overlong || surrogate || tooLarge ? 0 : length;
}

/// Control characters, and the marks that change the direction of what follows.
bool actsOnTerminal(std::string_view sequence) {
    const auto first = static_cast<unsigned char>(sequence[0]);
    if (sequence.size() == 1)
        return first < 0x20 || first == 0x7f;
    const auto second = static_cast<unsigned char>(sequence[1]);
    if (sequence.size() == 2)
        return first == 0xc2 && second < 0xa0;
    const auto third = static_cast<unsigned char>(sequence[2]);
    const bool embedding = third >= 0xa8 && third <= 0xae; // line, paragraph, U+202A to U+202E
    const bool isolate = third >= 0xa6 && third <= 0xa9;   // U+2066 to U+2069
    return first == 0xe2 && ((second == 0x80 && embedding) || (second == 0x81 && isolate));
}

/// Of a well-formed sequence of at most three bytes.
std::uint32_t codePoint(std::string_view sequence) {
    const auto byte = [&](std::size_t k) {
        return static_cast<std::uint32_t>(static_cast<unsigned char>(sequence[k]));
    };
    if (sequence.size() == 1)
        return byte(0);
    if (sequence.size() == 2)
        return (byte(0) & 0x1f) << 6 | (byte(1) & 0x3f);
    return (byte(0) & 0x0f) << 12 | (byte(1) & 0x3f) << 6 | (byte(2) & 0x3f);
}

void appendEscaped(std::string& out, std::string_view bytes) {
    constexpr char kDigits[] = "0123456789abcdef";
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        out += "\\x";
        out += kDigits[byte >> 4];
        out += kDigits[byte & 15];
    }
}

} // namespace

std::string printable(std::string_view text, bool lines) {
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const std::size_t length = sequenceLength(text);
        const std::string_view sequence = text.substr(0, length == 0 ? 1 : length);
        const bool layout = lines && (sequence == "\n" || sequence == "\t");
        if (length == 0 || (actsOnTerminal(sequence) && !layout))
            appendEscaped(out, sequence);
        else
            out += sequence;
        text.remove_prefix(sequence.size());
    }
    return out;
}

std::string printableJson(std::string_view json) {
    constexpr char kDigits[] = "0123456789abcdef";
    std::string out;
    out.reserve(json.size());
    while (!json.empty()) {
        const std::size_t length = std::max<std::size_t>(sequenceLength(json), 1);
        const std::string_view sequence = json.substr(0, length);
        json.remove_prefix(length);
        // Below 0x20 only line feeds are left: they lay the text out.
        if (!actsOnTerminal(sequence) || sequence == "\n") {
            out += sequence;
            continue;
        }
        const std::uint32_t code = codePoint(sequence);
        out += "\\u";
        for (int shift = 12; shift >= 0; shift -= 4)
            out += kDigits[code >> shift & 15];
    }
    return out;
}

std::string inQuotes(std::string_view text) {
    return "'" + printable(text) + "'";
}

std::string shellWord(std::string_view text) {
    constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                        "0123456789_-./:@%+,";
    if (!text.empty() && text.find_first_not_of(kPlain) == std::string_view::npos)
        return std::string(text);
    if (printable(text) != text) { // bash, zsh and ksh read $'…' with escapes
        std::string escaped;
        for (const char c : text)
            escaped += c == '\'' || c == '\\' ? std::string("\\") + c : std::string(1, c);
        return "$'" + printable(escaped) + "'";
    }
    std::string word = "'";
    for (const char c : text)
        word += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return word + "'";
}

} // namespace marquetry
