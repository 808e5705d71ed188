// Replay: an e-graph as it was at any earlier moment of its run, and what happened in between.
//
// E-nodes and unions are only ever appended, so a moment is two counts; Iteration holds those
// after each iteration. The record a replay reads is the e-nodes' original children, the origins
// and the union log: 12 bytes per e-node, more only above two children, and 8 per union. It is
// bounded by the limits on e-nodes and bytes.
// Complexity: replay O(e-nodes + unions); the others O(1). Thread rule: pure.
#pragma once

#include "engine/egraph/frozen_egraph.h"

namespace marquetry::egraph {

/// Right after a rebuild.
struct Moment {
    std::size_t enodes = 0; ///< with subsumed ones
    std::size_t unions = 0;
};

Moment momentOf(const FrozenEGraph& view);

struct PastGraph {
    std::vector<EClassId> eclassOf; ///< by ENodeId; canonical at the moment
    std::vector<std::uint8_t> live; ///< by ENodeId; 0 = subsumed by then
    std::size_t enodeCount = 0;     ///< live ones
    std::size_t eclassCount = 0;
};

/// The view keeps provenance and is not older than the moment.
PastGraph replay(const FrozenEGraph& view, Moment moment);

/// E-nodes and unions that a later moment has and an earlier one has not: id and log ranges.
struct Delta {
    ENodeId firstEnode, endEnode;
    std::size_t firstUnion = 0, endUnion = 0;
};
Delta deltaBetween(Moment earlier, Moment later);

std::size_t recordBytes(Moment moment);

} // namespace marquetry::egraph
