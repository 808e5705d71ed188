// Shifts where they store the fewest bits: f(shift x, shift y) or shift(f(x, y)).
//
// A term that is computed L elements later than it is wanted takes its operands that much later and
// needs that much less behind it. One chain of stores serves all users of a term, as long as the
// furthest needs. The lags that make the chains' bits fewest are the retiming of least area
// (Leiserson and Saxe, Algorithmica 6, 1991), a linear programme with an integral optimum. Sources
// and roots have no lag.
//
// Complexity: one linear programme with two variables for each term. Thread rule: pure.
#pragma once

#include "engine/algebra/forest.h"

namespace marquetry::algebra {

/// The same forest when the programme has no answer.
Forest withFewestStores(const Forest& forest);

} // namespace marquetry::algebra
