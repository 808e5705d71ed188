// The egraph-serialize JSON format of extraction-gym, and Graphviz DOT.
//
//   {"nodes": {id: {"op", "children": [node id…], "eclass", "cost", "subsumed"?}},
//    "root_eclasses": [class id…], "class_data": {}}
// A child is a node id and stands for the class of that node. Parameters are written into the
// operator: "conv[3,3]"; ids are "n<ENodeId>" and "c<EClassId>". The output is deterministic:
// nodes by id, live ones only.
//
// Round trips are exact: writeJson(parseJson(t)) is t for every t that writeJson wrote, and an
// imported e-graph serialized under the names of its file gives that file back, if the file was
// congruent (equal nodes in one class only, once) and had no subsumed nodes.
//
// Errors (user's file): json-syntax (with line and column), json-format, bad-cost (infinite or no
// number), missing-node (a child that is no node), missing-class (a root class without nodes),
// duplicate-node; on import also unknown-operator, bad-arity, bad-sort, ungrounded-class (no node
// of it stands for a finite term).
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
    std::vector<SerializedNode> nodes;                          ///< in file order
    std::vector<std::string> roots;                             ///< class ids
    std::vector<std::pair<std::string, std::string>> classData; ///< class id, JSON as written
};

struct ImportedGraph {
    EGraph egraph;                 ///< rebuilt
    std::vector<EClassId> roots;   ///< canonical
    std::vector<EClassId> classOf; ///< by index of SerializedGraph::nodes; invalid if subsumed
    std::vector<ENodeId> nodeOf;   ///< live, by the same index; invalid likewise
};

/// The e-graph must be clean.
SerializedGraph serialize(const EGraph& egraph, std::span<const EClassId> roots);
/// Under the names and costs of the file it was read from.
SerializedGraph serialize(const ImportedGraph& imported, const SerializedGraph& source);
std::string writeJson(const SerializedGraph& graph);
std::string exportJson(const EGraph& egraph, std::span<const EClassId> roots);
std::string exportDot(const EGraph& egraph);

Result<SerializedGraph> parseJson(std::string_view text);
Result<ImportedGraph> importGraph(const SerializedGraph& graph,
                                  std::shared_ptr<const Language> language);
/// A one-sort language with one variadic operator per name in the file, for files of other tools.
std::shared_ptr<const Language> languageOf(const SerializedGraph& graph);

} // namespace marquetry::egraph
