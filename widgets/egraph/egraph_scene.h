// Scenes of an e-graph: the overview of everything, and the focus on a part.
//
// Overview: one block per e-class, tinted by sort, labelled with its first (or chosen) operator and
// the number of further e-nodes; edges are aggregated per pair of classes. Focus: a frame per
// e-class around boxes for its e-nodes, edges from e-node to frame; a tab "+12" on it stands
// for e-nodes that are not shown. Chosen terms are orange with bold text and edges; the classes of
// shared units have a thick blue dashed border; pins carry ⌾. Keys: an e-node's id, or an e-class's
// id with kClassBit, or with kStubBit for its stub. Complexity: overview O(e-nodes + edges · log),
// focus O(its size). Thread rule: pure (measures text, so it needs a QGuiApplication).
#pragma once

#include "widgets/canvas/scene.h"
#include "widgets/egraph/focus.h"
#include "widgets/graph_layout/cluster_graph.h"

#include <map>
#include <memory>

namespace marquetry::widgets {

inline constexpr std::uint32_t kClassBit = 0x80000000u;
inline constexpr std::uint32_t kStubBit = 0xC0000000u;

inline std::uint32_t keyOf(egraph::ENodeId id) {
    return id.value();
}
inline std::uint32_t keyOf(egraph::EClassId id) {
    return id.value() | kClassBit;
}
/// The e-node or e-class behind a key; a stub stands for its class.
Subject subjectOf(std::uint32_t key);

struct Overview {
    std::shared_ptr<const Scene> scene;
    std::map<egraph::EClassId, double> x; ///< of each block, for the next layout's order
    std::size_t enodes = 0;               ///< that the blocks stand for
};

Overview overviewScene(const SnapshotIndex& index, const std::map<egraph::EClassId, double>& lastX,
                       const EGraphFilter& filter = {});

/// The graph to lay out: clusters are the focus' classes, nodes its e-nodes in order.
ClusterGraph clusterGraph(const SnapshotIndex& index, const Focus& focus);
std::shared_ptr<const Scene> focusScene(const SnapshotIndex& index, const Focus& focus,
                                        const ClusterDrawing& drawing);

/// "Mv", "TiledMv[288, 576]"; very long names are cut in the middle with "…".
QString enodeLabel(const egraph::FrozenEGraph& view, egraph::ENodeId node);

} // namespace marquetry::widgets
