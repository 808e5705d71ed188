// A good term by DAG cost: tree costs in which classes that are used often are cheap.
//
// Starting from the least tree cost, every node of the current term is priced at its cost divided
// by its number of occurrences, so that the term's discounted tree cost is its DAG cost; the least
// discounted tree cost gives the next term. The best term met is returned: never worse than
// extractTree(). Complexity: a few treeChoice(). Thread rule: pure.
#pragma once

#include "engine/term_extract/selection.h"

namespace marquetry::term_extract {

Selection extractGreedy(const SelectionProblem& problem);

} // namespace marquetry::term_extract
