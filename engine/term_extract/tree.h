// Extraction of least tree cost: every occurrence of a class pays.
//
// Without negative costs there are sweeps over the classes, in which children usually come before
// their users, and then a worklist of what still changes. This gives the least cost of every class
// at once (Knuth's generalisation of Dijkstra's algorithm, without its heap). With negative costs
// the classes are taken by strongly connected component, children first. That is exact wherever no
// cycle holds a negative node. In a cycle with one, terms may have no least cost at all, and a good
// term is chosen.
// Sums are clamped to ±1e300, so that deep sharing cannot reach infinity.
// Complexity: linear in practice, O(classes · size) at worst. Thread rule: pure.
#pragma once

#include "engine/term_extract/selection.h"

namespace marquetry::term_extract {

struct TreeChoice {
    std::vector<double> cost;  ///< by class; infinite without a finite term
    std::vector<NodeIndex> of; ///< by class, used or not; kNone without a finite term; acyclic
};

/// `nodeCost` replaces the costs of the problem; by node.
TreeChoice treeChoice(const SelectionProblem& problem, std::span<const double> nodeCost);

/// The pruned choice; the problem must pass check().
Selection extractTree(const SelectionProblem& problem);

} // namespace marquetry::term_extract
