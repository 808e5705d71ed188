// The selection problem as a mixed-integer programme.
//
// One binary per node. With y(c) the sum over the nodes of class c:
//   roots      y = 1; every other class y ≤ 1
//   needs      the nodes of c that bring d along sum to at most y(d), where of d only nodes count
//              that do not bring c along; only for classes d that nothing between already covers
//   earned     y(c) at most the sum of the nodes that use c, where a negative node can be reached
//   order      in a cyclic component every class has a level, and a chosen node's class lies above
//              its children's; the two-class loops are already cut off by the rows above
// Complexity: rows are linear in children plus what mandatoryClasses() adds. Thread rule: pure.
#pragma once

#include "engine/milp/model.h"
#include "engine/term_extract/selection.h"

namespace marquetry::term_extract {

/// Variable k is node k for the first nodeCount() variables; levels follow.
milp::Model selectionMilp(const SelectionProblem& problem);

/// Values for a warm start.
std::vector<double> milpValues(const SelectionProblem& problem, const Selection& selection,
                               std::size_t variables);
/// The chosen nodes, pruned; empty when they are no term.
Selection selectionOf(const SelectionProblem& problem, std::span<const double> values);

} // namespace marquetry::term_extract
