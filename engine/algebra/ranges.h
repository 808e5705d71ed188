// Which value a word must have when a condition is known to be true or false. Thread rule: pure.
#pragma once

#include "engine/algebra/terms.h"

#include <optional>

namespace marquetry::algebra {

/// The one word that `term` has whenever `condition` has the value `truth`, if that follows from
/// bounds that the condition sets: on the term itself and, modulo the width, on its negation.
std::optional<std::int64_t> wordUnder(const Terms& terms, TermId condition, bool truth,
                                      TermId term);

} // namespace marquetry::algebra
