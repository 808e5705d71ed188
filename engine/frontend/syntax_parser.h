// Tokens to syntax trees, by recursive descent of bounded depth.
//
// A mistake ends its statement; reading goes on at the next ';', '}' or word that starts a
// statement or an item, so one run reports several mistakes.
//
// Errors (reported): syntax, reserved-name, number-too-large, too-deep, and those of the lexer.
// Complexity: linear in the text. Thread rule: one owner.
#pragma once

#include "engine/frontend/memory_syntax.h"
#include "engine/frontend/parser.h"
#include "engine/frontend/reporter.h"
#include "engine/frontend/stream_syntax.h"
#include "engine/frontend/syntax.h"

#include <string_view>
#include <vector>

namespace marquetry::frontend {

struct FileSyntaxTree {
    std::vector<DesignSyntax> designs;
    std::vector<StreamSyntax> streams;
    std::vector<MemorySyntax> memories;
    std::vector<ItemKind> order; ///< of all of them in the file
};

FileSyntaxTree parseSyntax(std::string_view text, Reporter& reporter);

} // namespace marquetry::frontend
