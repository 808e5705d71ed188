// The egraph-serialize JSON format of extraction-gym, and Graphviz DOT.
//
//   {"nodes": {id: {"op", "children": [node id…], "eclass", "cost", "subsumed"?}},
//    "root_eclasses": [class id…], "class_data": {}}
// A child is a node id and stands for the class of that node. Parameters are written into the
// operator: "conv[3,3]"; ids are "n<ENodeId>" and "c<EClassId>". The output is deterministic:
// nodes by id, live ones only.
//
// Errors (user's file): json-syntax, json-format, missing-node (a child that is no node),
// missing-class (a root class without nodes), duplicate-node; on import also unknown-operator,
// bad-arity, bad-sort, ungrounded-class (no node of it stands for a finite term).
// Complexity: O(size · log). Thread rule: pure.
#pragma once

#include "engine/egraph/egraph.h"
#include "engine/support/result.h"

namespace marquetry::egraph {

struct SerializedNode {
    std::string id;
    std::string op; ///< as written, parameters included
    std::string eclass;
    std::vector<std::size_t> children; ///< indices into SerializedGraph::nodes
    double cost = 1.0;
    bool subsumed = false;
};

struct SerializedGraph {
    std::vector<SerializedNode> nodes; ///< in file order
    std::vector<std::string> roots;    ///< class ids
};

struct ImportedGraph {
    EGraph egraph;                 ///< rebuilt
    std::vector<EClassId> roots;   ///< canonical
    std::vector<EClassId> classOf; ///< by index of SerializedGraph::nodes; invalid if subsumed
};

std::string exportJson(const EGraph& egraph, std::span<const EClassId> roots);
std::string exportDot(const EGraph& egraph);

Result<SerializedGraph> parseJson(std::string_view text);
Result<ImportedGraph> importGraph(const SerializedGraph& graph,
                                  std::shared_ptr<const Language> language);
/// A one-sort language with one variadic operator per name in the file, for files of other tools.
std::shared_ptr<const Language> languageOf(const SerializedGraph& graph);

} // namespace marquetry::egraph
