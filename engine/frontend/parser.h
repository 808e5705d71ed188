// Text to programs (language.md, "Designs", "Streams", "Memories"). Recovers at statement ends, so
// one call reports several mistakes.
//
// Errors (code): syntax, invalid-utf8, invalid-character, number-too-large, unterminated-string,
// too-deep, unknown-name, unknown-operator, unknown-type, duplicate-name, reserved-name,
// operand-count, shape-mismatch, type-mismatch, bad-dimension, bad-parameter, missing-parameter,
// missing-source, file-missing, file-unreadable, file-size, file-format, file-too-large, too-large,
// no-item, no-output, not-associative, not-closed, and those of memory_checker.h; every one with
// file, line, column and what was expected, most with a hint. Warnings: may-wrap (32 bits can
// overflow), dropped-elements (rows or columns that no window reaches), sometimes-outside (an
// access that does not happen in some iterations). Complexity: linear in the text. Never throws,
// never recurses deeper than kMaxDepth. Weight files are read once, here, and kept with the
// program. Thread rule: pure but for reading files.
#pragma once

#include "engine/ir/memory_program.h"
#include "engine/ir/program.h"
#include "engine/ir/stream_program.h"

#include <string>
#include <string_view>
#include <vector>

namespace marquetry::frontend {

enum class ItemKind : std::uint8_t { Design, Stream, Memory };

struct ParseResult {
    std::vector<ir::Program> programs;       ///< the `design` items, in file order
    std::vector<ir::StreamProgram> streams;  ///< the `stream` items, in file order
    std::vector<ir::MemoryProgram> memories; ///< the `memory` items, in file order
    std::vector<ItemKind> order;             ///< of all of them in the file
    Diagnostics warnings;
    std::string text; ///< what was parsed, byte for byte
};

/// `file` is used in messages and to resolve file(…) sources; it need not exist.
Result<ParseResult> parse(std::string_view text, const std::string& file);

/// The text of a program's file. Errors: file-missing, file-unreadable, file-too-large (> 16 MiB).
Result<std::string> readFile(const std::string& path);

/// Reads and parses a file. Also: file-missing, file-unreadable, file-too-large (> 16 MiB).
Result<ParseResult> parseFile(const std::string& path);

/// The design called `item`, or the first when `item` is empty; error no-item.
Result<ir::Program> selectItem(ParseResult result, const std::string& item);
/// The stream called `item`, or the first when `item` is empty; error no-item.
Result<ir::StreamProgram> selectStream(ParseResult result, const std::string& item);
/// The memory called `item`, or the first when `item` is empty; error no-item.
Result<ir::MemoryProgram> selectMemory(ParseResult result, const std::string& item);
/// The kind of `item`, or of the first item of all when it is empty; Design when there is none.
ItemKind selectedKind(const ParseResult& result, const std::string& item);
/// Whether `item`, or the first item of all when it is empty, is a stream.
bool selectsStream(const ParseResult& result, const std::string& item);

} // namespace marquetry::frontend
