// The independent parts of a selection problem: classes that no chain of nodes connects can be
// settled apart, and their costs add up. Only classes that the roots reach are kept.
// Complexity: linear. Thread rule: pure.
#pragma once

#include "engine/term_extract/selection.h"

namespace marquetry::term_extract {

struct Part {
    SelectionProblem problem;
    std::vector<ClassIndex> eclass; ///< of the whole, by class of the part
    std::vector<NodeIndex> node;    ///< of the whole, by node of the part
};

/// Fewest nodes first.
std::vector<Part> split(const SelectionProblem& problem);

/// Writes a selection of the part into one of the whole.
void merge(const Part& part, const Selection& selection, Selection& whole);

/// The problem with one node only in class `c`.
Part restrictTo(const SelectionProblem& problem, ClassIndex c, NodeIndex n);

} // namespace marquetry::term_extract
