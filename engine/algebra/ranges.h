// Ranges of words: which values an operator's result can have, and which value a word must have
// when a condition is known to be true or false. Thread rule: pure.
#pragma once

#include "engine/algebra/terms.h"

#include <optional>

namespace marquetry::algebra {

/// All words of a scalar.
WordRange fullRange(const ir::StreamType& leaf);
/// Of an operator's result, given its operands' ranges; full where it may wrap.
WordRange rangeOf(const Terms& terms, ir::StreamOp op, const ir::StreamType& type,
                  const std::vector<TermId>& operands);

/// The one word that `term` has whenever `condition` has the value `truth`, if that follows from
/// bounds that the condition sets: on the term itself and, modulo the width, on its negation.
std::optional<std::int64_t> wordUnder(const Terms& terms, TermId condition, bool truth,
                                      TermId term);

} // namespace marquetry::algebra
