#include "engine/vendor/tcl_text.h"

#include "engine/support/quote.h"
#include "engine/support/text_stream.h"

#include <cstddef>
#include <cstdint>

namespace marquetry::vendor {

namespace {

constexpr std::string_view kPlainCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                              "0123456789_./:+-,=@%";

/// Braces count inside of braced bodies unless a backslash is before them.
constexpr std::string_view kActing = "\\\"$[]{}";

void appendUnit(std::string& out, std::uint32_t unit) {
    constexpr char kDigits[] = "0123456789abcdef";
    out += "\\u";
    for (int shift = 12; shift >= 0; shift -= 4)
        out += kDigits[unit >> shift & 15];
}

/// Beyond the first plane Tcl has two halves, as UTF-16.
void appendCode(std::string& out, std::uint32_t code) {
    if (code >= 0x10000) {
        appendUnit(out, 0xd800 + ((code - 0x10000) >> 10));
        appendUnit(out, 0xdc00 + ((code - 0x10000) & 0x3ff));
    } else {
        appendUnit(out, code);
    }
}

/// Of the well-formed sequence at the start of `text`, which is shortened by it.
std::uint32_t takeCode(std::string_view& text) {
    const auto byte = [&](std::size_t k) {
        return static_cast<std::uint32_t>(static_cast<unsigned char>(text[k]));
    };
    const std::uint32_t first = byte(0);
    const std::size_t length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    std::uint32_t code = length == 1 ? first : first & (0x7fU >> length);
    for (std::size_t k = 1; k < length; ++k)
        code = code << 6 | (byte(k) & 0x3f);
    text.remove_prefix(length);
    return code;
}

} // namespace

std::string tclWord(std::string_view text) {
    if (!text.empty() && text.find_first_not_of(kPlainCharacters) == std::string_view::npos)
        return std::string(text);
    const std::string clean = printable(text);
    // What printable has escaped is meant as it reads; a text without such is taken as it is.
    std::string_view rest = clean;
    std::string word = "\"";
    while (!rest.empty()) {
        const std::uint32_t code = takeCode(rest);
        if (code >= 0x7f) {
            appendCode(word, code);
            continue;
        }
        const char c = static_cast<char>(code);
        if (kActing.find(c) != std::string_view::npos)
            word += '\\';
        word += c;
    }
    return word + "\"";
}

std::string tclList(const std::vector<std::string>& elements) {
    std::string list = "[list";
    for (const std::string& element : elements)
        list += " " + tclWord(element);
    return list + "]";
}

std::string tclComment(std::string_view text) {
    std::string line = "# " + printable(text);
    // A comment goes on behind a backslash at its end.
    if (line.ends_with('\\'))
        line += ' ';
    return line;
}

std::string tclPath(const std::string& folder, const std::string& path) {
    std::string joined = "[file join $" + folder;
    TextIn parts(path);
    for (std::string part; std::getline(parts, part, '/');)
        joined += " " + tclWord(part);
    return joined + "]";
}

std::string tclHead(const std::vector<std::string>& comments, int levels) {
    std::string head;
    for (const std::string& comment : comments)
        head += tclComment(comment) + "\n";
    head += "\nset here [file dirname [file normalize [info script]]]\n";
    std::string root = "$here";
    for (int level = 0; level < levels; ++level)
        root = "[file dirname " + root + "]";
    return head + "set root " + root + "\n";
}

} // namespace marquetry::vendor
