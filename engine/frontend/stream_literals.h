// Constants of `stream` items: written literals to the words of a type.
//
// Errors (with place): type-mismatch (a list where a number belongs, a wrong length),
// number-too-large. Complexity: linear in the literal. Thread rule: pure.
#pragma once

#include "engine/frontend/stream_numbers.h"
#include "engine/support/result.h"

namespace marquetry::frontend {

/// Whether a number is in the range of a scalar or fixed-point type.
bool fits(std::int64_t value, const ir::StreamType& type);

/// words(type) words of literal number `root`, all of whose numbers are known.
Result<std::vector<std::int64_t>> literalWords(const StreamSyntax& stream, StreamNumbers& numbers,
                                               std::size_t root, const ir::StreamType& type);

} // namespace marquetry::frontend
