// The part of an e-graph that a focus picture shows.
//
// E-nodes are taken until there are `budget` of them: first the seeds (selected classes), then
// their neighbours up to `hops` away (children and parents alike), then the chosen design. A class
// shows at most `perClass` e-nodes, chosen and pinned ones first, unless it is expanded. A class
// that is there only for the design shows what was chosen.
//
// Without seeds the design is the start: alone at one hop, with its neighbourhood at more. Without
// a design the start is everything below the classes that nobody uses (the program's outputs), and
// with filters everything that they let through. What is left out is counted, never dropped
// silently.
//
// A chain is classes of which each leads to the next alone, and nothing else leads there. Where all
// show one e-node, and none is a seed, shared, pinned, expanded or unfolded, the chain is folded
// into one block; every other class is a block of its own. Complexity: O(budget · degree).
// Deterministic: classes in breadth-first order, ties by id. Thread rule: pure.
#pragma once

#include "widgets/egraph/shown_part.h"

#include <cstddef>
#include <set>
#include <vector>

namespace marquetry::widgets {

struct FocusParams {
    std::vector<egraph::EClassId> seeds;
    int hops = 1;
    std::size_t budget = 300; ///< e-nodes
    std::size_t perClass = 6;
    std::set<egraph::EClassId> expanded;
    std::set<egraph::EClassId> unfolded; ///< classes that no chain swallows
    egraph::ENodeId first;           ///< what a class shows before anything else; may be invalid
    const ShownPart* part = nullptr; ///< what filters let through; null: everything
};

struct FocusClass {
    egraph::EClassId id;
    std::vector<egraph::ENodeId> shown;
    std::size_t hidden = 0; ///< e-nodes of this class that are not shown
    bool operator==(const FocusClass&) const = default;
};

struct FocusEdge {
    std::size_t from = 0; ///< number of the e-node, counting through the classes in order
    std::size_t to = 0;   ///< index of the class
    bool chosen = false;
    bool operator==(const FocusEdge&) const = default;
};

struct Focus {
    std::vector<FocusClass> classes;
    std::vector<FocusEdge> edges;
    std::size_t enodes = 0;
    std::vector<std::vector<std::size_t>> blocks; ///< of classes, by index; several: folded
    std::size_t hiddenChildren = 0;               ///< edges to classes outside the picture
    bool budgetReached = false;

    bool sameShape(const Focus& other) const {
        return classes == other.classes && blocks == other.blocks;
    }
    /// Of the block that holds a class, which must be one of the canonical ids here.
    const std::vector<std::size_t>* blockOf(egraph::EClassId id) const;
};

Focus chooseFocus(const SnapshotIndex& index, const FocusParams& params);

} // namespace marquetry::widgets
