// Tokens of a `stream` item to its syntax tree, by recursive descent of bounded depth.
//
// Recovers like the parser of `design` items: at the next ';', '}', statement or item.
// Errors (reported): syntax, reserved-name, number-too-large, too-deep, unknown-type,
// type-mismatch (sequences in a pair), and those of the lexer. Complexity: linear in the text.
// Thread rule: one owner.
#pragma once

#include "engine/frontend/stream_syntax.h"
#include "engine/frontend/token_reader.h"

namespace marquetry::frontend {

/// The reader stands on the word `stream`.
StreamSyntax parseStreamSyntax(TokenReader& reader);

} // namespace marquetry::frontend
