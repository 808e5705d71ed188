// Scenes of a part of an e-graph, the focus.
//
// A frame per e-class around boxes for its e-nodes, edges from e-node to frame; a tab "+12" in it
// stands for e-nodes that are not shown. A folded chain is one box with the names of its operators.
// Chosen terms are orange with bold text and edges; the classes of shared units have a thick blue
// dashed border; pins carry ⌾. Keys: subject_key.h; a folded chain has that of its first class.
// Complexity: O(size of the focus · log). Thread rule: pure (measures text, so it needs a
// QGuiApplication).
#pragma once

#include "widgets/canvas/scene.h"
#include "widgets/egraph/focus.h"
#include "widgets/graph_layout/cluster_graph.h"

#include <memory>

namespace marquetry::widgets {

/// The graph to lay out in a picture of a size in pixels: clusters are the focus' blocks in order,
/// nodes their e-nodes, one for a folded chain. Layers come in the order of the program.
ClusterGraph clusterGraph(const SnapshotIndex& index, const Focus& focus, QSizeF wanted);
std::shared_ptr<const Scene> focusScene(const SnapshotIndex& index, const Focus& focus,
                                        const ClusterDrawing& drawing);

} // namespace marquetry::widgets
