// Tokens of a `memory` item to its syntax tree, by recursive descent of bounded depth.
//
// Recovers at the next ';', '}', statement or item. Errors (reported): syntax, reserved-name,
// number-too-large, and those of the lexer. Complexity: linear in the text.
// Thread rule: one owner.
#pragma once

#include "engine/frontend/memory_syntax.h"
#include "engine/frontend/token_reader.h"

namespace marquetry::frontend {

/// The reader stands on the word `memory`.
MemorySyntax parseMemorySyntax(TokenReader& reader);

} // namespace marquetry::frontend
