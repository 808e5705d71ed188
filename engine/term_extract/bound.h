// A lower bound on the DAG cost of a term, in which shared classes are split among their users.
//
// share(c) = least over the nodes of c of cost + Σ over children d of share(d) / users(d), where
// users(d) counts the classes that may use d, and a root is paid for by itself alone. No class of a
// term hands out more than it costs, so the shares of the roots bound the term from below. A class
// of negative cost counts as used: its gain is taken at once, and its nodes are priced relative to
// it.
// Complexity: linear, a few sweeps inside cyclic components. Thread rule: pure.
#pragma once

#include "engine/term_extract/components.h"

namespace marquetry::term_extract {

struct SplitBound {
    double total = 0;          ///< no term costs less
    std::vector<double> share; ///< by class
    std::vector<double> value; ///< by node: its share if chosen; total − share + value bounds that
};

SplitBound splitBound(const SelectionProblem& problem, const Components& components);

} // namespace marquetry::term_extract
