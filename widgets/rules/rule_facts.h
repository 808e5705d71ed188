// What a rewrite rule did to the e-graph of a snapshot: where it matched, what it made there, and
// what the design at hand has of it.
//
// A match is told by what came of it, an e-node or a union; one whose result was there already is
// not in the record. Matches are grouped by the e-class they are in now, in the order of the
// layers that can go through it, then of the classes. Complexity: O(e-nodes + unions · log), and
// O(layers · classes they reach). Thread rule: pure.
#pragma once

#include "widgets/models/snapshot_index.h"

#include <optional>
#include <vector>

namespace marquetry::widgets {

struct RuleMatch {
    egraph::EClassId eclass;
    std::vector<std::string> layers; ///< that can go through it, in the order of the program
    std::size_t made = 0;            ///< e-nodes
    std::size_t unions = 0;
    std::size_t chosen = 0; ///< e-nodes made here that the design has
    int first = 0;          ///< iteration
    int last = 0;           ///< the same
};

struct RuleFacts {
    std::size_t made = 0; ///< e-nodes, also those that became equal to others later
    std::size_t unions = 0;
    std::size_t chosen = 0;  ///< e-nodes of the design that it made
    std::size_t derived = 0; ///< the same, and those that were made from what it made
    std::vector<RuleMatch> matches;
    /// The first e-node that it made, and what it had matched.
    std::optional<std::pair<egraph::ENodeId, egraph::ENodeId>> example;
};

/// Of a rule of the snapshot; without an e-graph, or for another id, nothing.
RuleFacts ruleFacts(const SnapshotIndex& index, egraph::RuleId rule);

} // namespace marquetry::widgets
