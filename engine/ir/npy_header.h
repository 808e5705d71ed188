// The head of NumPy's .npy files (format versions 1 and 2, C order).
//
// Errors: file-format. Thread rule: pure.
#pragma once

#include "engine/ir/type.h"
#include "engine/support/result.h"

#include <string>
#include <string_view>

namespace marquetry::ir {

/// How such a file begins.
inline constexpr std::string_view kNpyMagic = "\x93NUMPY";
/// Bytes of the dictionary.
inline constexpr std::size_t kLongestNpyHeader = 1 << 16;

struct NpyHeader {
    std::string descr; ///< "|i1", "<f4"; of one byte always "|"
    Shape dims;
    std::size_t start = 0; ///< of the elements
};

/// `path` is used in messages.
Result<NpyHeader> npyHeaderOf(std::string_view bytes, const std::string& path);

} // namespace marquetry::ir
