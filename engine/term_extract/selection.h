// Extraction as a selection problem: one e-node for each e-class that is needed.
//
// Classes and nodes are dense positions; the nodes of a class are neighbours. A selection gives a
// node to every class it uses: the roots and the children of every given node. It is a term when no
// class needs itself. Its DAG cost counts every used class once, its tree cost once per occurrence.
// Costs may be negative; only used classes count, so a negative class must be reached to pay off.
// Errors of check(): extract-bad-problem (positions out of range), extract-bad-cost (NaN or
// infinite), extract-no-term (a root none of whose terms is finite).
// Complexity: check, verify and costs are linear. Thread rule: value types.
#pragma once

#include "engine/support/result.h"

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace marquetry::term_extract {

using ClassIndex = std::uint32_t;
using NodeIndex = std::uint32_t;
inline constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

/// Two costs closer than this, relative to their size, are the same: sums in another order differ.
inline constexpr double kCostTolerance = 1e-9;
bool costsLess(double a, double b);

struct SelectionProblem {
    std::vector<std::uint32_t> nodeBegin = {0};  ///< by class, one more than classes
    std::vector<double> cost;                    ///< by node
    std::vector<std::uint32_t> childBegin = {0}; ///< by node, one more than nodes
    std::vector<ClassIndex> child;               ///< repeats allowed: they count in tree costs
    std::vector<ClassIndex> roots;

    std::size_t classCount() const { return nodeBegin.size() - 1; }
    std::size_t nodeCount() const { return cost.size(); }
    std::span<const ClassIndex> children(NodeIndex n) const {
        return {child.data() + childBegin[n], child.data() + childBegin[n + 1]};
    }
    /// Adds a class without nodes; addNode() then adds to the last class.
    ClassIndex addClass();
    NodeIndex addNode(double nodeCost, std::span<const ClassIndex> children);
};

/// By class: the node, or kNone for a class that is not used.
using Selection = std::vector<NodeIndex>;

Status check(const SelectionProblem& problem);
/// True when every root and every child of a selected node has a node of its own class, no class
/// needs itself, and classes that nothing uses have none.
bool verify(const SelectionProblem& problem, const Selection& selection);

/// Clears the classes that the roots do not reach. The used part must be a term.
void prune(const SelectionProblem& problem, Selection& selection);
double dagCost(const SelectionProblem& problem, const Selection& selection);
/// Sum over the roots; may round to infinity. The selection must be a term.
double treeCost(const SelectionProblem& problem, const Selection& selection);

/// By class: the class of each node.
std::vector<ClassIndex> classOfNode(const SelectionProblem& problem);

/// By class: 1 when some finite term exists.
std::vector<std::uint8_t> groundedClasses(const SelectionProblem& problem);

} // namespace marquetry::term_extract
