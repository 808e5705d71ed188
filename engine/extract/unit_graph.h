// The unit part of an e-graph, as extraction sees it: classes of unit terms and the calls on them.
//
// Every unit term is a chain, so a call's design is a path from its unit class down to a leaf.
// Class indices are dense, in increasing order of e-class id. Thread rule: a value type.
#pragma once

#include "engine/rules/lowering.h"

#include <vector>

namespace marquetry::extract {

struct UnitNode {
    egraph::ENodeId id;
    rules::Skeleton skeleton;
    std::vector<egraph::Param> params;
    int child = -1; ///< class index; −1 for leaves
};

struct ParentEdge {
    int eclass = 0;
    int node = 0;
};

struct UnitClass {
    egraph::EClassId id;
    ir::UnitShape shape;
    std::vector<UnitNode> nodes;
    std::vector<ParentEdge> parents;
    int callSites = 0; ///< calls with a path to this class
};

struct UnitGraph {
    std::vector<UnitClass> classes;
    std::vector<int> roots; ///< class of each call, in order of execution

    const UnitNode& node(const ParentEdge& edge) const {
        return classes[static_cast<std::size_t>(edge.eclass)]
            .nodes[static_cast<std::size_t>(edge.node)];
    }
};

/// Classes reachable from the calls. The e-graph must be clean. O(size).
UnitGraph buildUnitGraph(const rules::Lowered& lowered);

} // namespace marquetry::extract
