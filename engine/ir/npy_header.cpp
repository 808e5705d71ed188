#include "engine/ir/npy_header.h"

#include "engine/support/limits.h"
#include "engine/support/quote.h"

#include <algorithm>
#include <optional>

namespace marquetry::ir {

namespace {

Diagnostic brokenHeader(const std::string& path, const std::string& what) {
    return makeError("file-format", inQuotes(path) + " " + what);
}

/// What follows `key` and a colon in the header's dictionary, up to a character of `ends`.
std::string_view dictEntry(std::string_view header, std::string_view key, std::string_view ends) {
    const std::size_t at = header.find("'" + std::string(key) + "'");
    if (at == std::string_view::npos)
        return {};
    std::size_t from = header.find(':', at);
    if (from == std::string_view::npos)
        return {};
    from = header.find_first_not_of(' ', from + 1);
    if (from == std::string_view::npos)
        return {};
    return header.substr(from, header.find_first_of(ends, from) - from);
}

/// "(3, 4" → {3, 4}; nothing when it is not a tuple of numbers.
std::optional<Shape> parseShape(std::string_view text) {
    if (!text.starts_with("("))
        return std::nullopt;
    Shape dims;
    bool inNumber = false;
    for (const char c : text.substr(1)) {
        if (c >= '0' && c <= '9') {
            if (!inNumber)
                dims.push_back(0);
            inNumber = true;
            dims.back() = std::min(dims.back() * 10 + (c - '0'), kMaxElements + 1);
        } else if (c == ',' || c == ' ') {
            inNumber = false;
        } else {
            return std::nullopt;
        }
    }
    return dims;
}

Result<NpyHeader> dictionaryOf(std::string_view header, const std::string& path) {
    NpyHeader result;
    result.descr = dictEntry(header, "descr", ",}");
    std::erase(result.descr, '\'');
    if (result.descr.starts_with("<") && result.descr.ends_with("1"))
        result.descr[0] = '|';
    if (!dictEntry(header, "fortran_order", ",}").starts_with("False"))
        return brokenHeader(path, "is not in C order");
    auto dims = parseShape(dictEntry(header, "shape", ")"));
    if (!dims)
        return brokenHeader(path, "has a broken .npy header: no shape");
    result.dims = *std::move(dims);
    return result;
}

} // namespace

Result<NpyHeader> npyHeaderOf(std::string_view bytes, const std::string& path) {
    if (bytes.size() < kNpyMagic.size() + 2 || !bytes.starts_with(kNpyMagic))
        return brokenHeader(path, "is not a .npy file");
    const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(bytes[k]); };
    const int version = byte(6);
    if (version != 1 && version != 2)
        return brokenHeader(path, "has .npy format version " + std::to_string(version) +
                                      "; 1 and 2 are understood");
    const std::size_t start = version == 1 ? 10 : 12;
    if (bytes.size() < start)
        return brokenHeader(path, "ends inside the .npy header");
    std::size_t length = 0;
    for (std::size_t k = 8; k < start; ++k)
        length |= static_cast<std::size_t>(byte(k)) << (8 * (k - 8));
    if (length > kLongestNpyHeader || length > bytes.size() - start)
        return brokenHeader(path, "ends inside the .npy header");
    auto result = dictionaryOf(bytes.substr(start, length), path);
    if (result)
        result->start = start + length;
    return result;
}

} // namespace marquetry::ir
