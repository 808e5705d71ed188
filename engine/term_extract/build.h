// Selection problems from e-graphs and from egraph-serialize files.
//
// Classes keep the order of the e-graph (increasing ids) or of first mention in the file; nodes are
// the live ones that are not subsumed. A class all of whose nodes are subsumed stays, without
// nodes. Errors (file): extract-bad-cost (the node is named), extract-no-roots, extract-no-term
// (the root class is named). Complexity: linear. Thread rule: pure.
#pragma once

#include "engine/egraph/egraph.h"
#include "engine/egraph/serialize.h"
#include "engine/term_extract/selection.h"

#include <functional>

namespace marquetry::term_extract {

struct EGraphProblem {
    SelectionProblem problem;
    std::vector<egraph::EClassId> eclass; ///< by class
    std::vector<egraph::ENodeId> enode;   ///< by node
};

using CostFunction = std::function<double(egraph::ENodeId)>;

/// The e-graph must be clean. AstSize is a cost of 1 for every e-node.
EGraphProblem problemOf(const egraph::EGraph& egraph, std::span<const egraph::EClassId> roots,
                        const CostFunction& cost);
EGraphProblem problemOf(const egraph::FrozenEGraph& egraph, std::span<const egraph::EClassId> roots,
                        const CostFunction& cost);

struct FileProblem {
    SelectionProblem problem;
    std::vector<std::string> eclass; ///< names by class
    std::vector<std::size_t> node;   ///< index into SerializedGraph::nodes, by node
};

/// The result passes check().
Result<FileProblem> problemOf(const egraph::SerializedGraph& graph);

} // namespace marquetry::term_extract
