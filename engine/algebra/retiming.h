// Retiming: each shift is moved to where it stores the fewest bits, before an operator or behind
// it, since f(shift x, shift y) = shift(f(x, y)).
//
// Each term has a lag. A term with lag L is computed L elements later than it is wanted: its
// operands are taken that much later, and its result is stored that much shorter. One chain of
// stores serves all users of a term and is as long as the furthest of them needs. The lags for
// which all chains have the fewest bits are a retiming of least area (Leiserson and Saxe,
// Algorithmica 6, 1991): a linear programme with an integral optimum. Sources and roots have no
// lag. A root may take words that come later; then what it takes them of has no lag, either, and
// loses none of its last words. No operator may look ahead.
//
// Complexity: one linear programme with two variables for each term. Thread rule: pure.
#pragma once

#include "engine/algebra/dataflow_graph.h"

namespace marquetry::algebra {

/// The same dataflow graph when the programme has no answer.
DataflowGraph retimed(const DataflowGraph& dataflow);

} // namespace marquetry::algebra
