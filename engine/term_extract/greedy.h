// A good term by DAG cost, found by tree costs in which classes that are used often are cheap.
//
// It starts from the term of least tree cost. Every node of the current term is then priced at its
// cost divided by its number of occurrences, so that the tree cost of the term at these prices is
// its DAG cost. The term of least tree cost at these prices is the next term. The best term met is
// returned; it is never worse than extractTree(). Complexity: a few treeChoice(). Thread rule:
// pure.
#pragma once

#include "engine/term_extract/selection.h"

namespace marquetry::term_extract {

Selection extractGreedy(const SelectionProblem& problem);

} // namespace marquetry::term_extract
