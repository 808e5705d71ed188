// Strongly connected components of the class graph (a class points at the children of its nodes).
// Complexity: linear. Thread rule: pure.
#pragma once

#include "engine/term_extract/selection.h"

namespace marquetry::term_extract {

struct Components {
    std::vector<std::uint32_t> of;                ///< by class; children have smaller numbers
    std::vector<std::vector<ClassIndex>> classes; ///< by component, increasing
    std::vector<std::uint8_t> cyclic;             ///< by component: a class reaches itself
};

Components strongComponents(const SelectionProblem& problem);

} // namespace marquetry::term_extract
