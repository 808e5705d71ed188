// The overview: every e-class as a block with its name and the number of its e-nodes.
//
// The blocks of an e-graph with layers lie in frames, one per layer of the program and one per
// family of what the rules made (overview_groups.h), in places that are kept from picture to
// picture (overview_places.h); the title of a frame says its name and how many e-classes are shown
// in it. Filters hide blocks and move none. Other e-graphs, such as the states of a stream, are
// laid out by layeredLayout. Blocks are tinted by sort; those of the chosen design are orange, with
// orange edges between them. In frames the other edges are drawn where names have their full size.
// Keys: keyOf(class); of a frame its number with kGroupBit.
// Complexity: O(e-nodes + edges · log). Thread rule: pure but for `memory` (measures text, so it
// needs a QGuiApplication).
#pragma once

#include "widgets/canvas/scene.h"
#include "widgets/egraph/overview_places.h"
#include "widgets/egraph/shown_part.h"

#include <map>
#include <memory>

namespace marquetry::widgets {

/// What a picture keeps from the one before, of the same e-graph.
struct OverviewMemory {
    OverviewPlaces places;                ///< of an e-graph with layers
    std::map<egraph::EClassId, double> x; ///< of the blocks of another, for the order
};

struct Overview {
    std::shared_ptr<const Scene> scene;
    std::size_t enodes = 0; ///< that the blocks stand for
    std::size_t eclasses = 0;
};

Overview overviewScene(const SnapshotIndex& index, OverviewMemory& memory,
                       const EGraphFilter& filter = {});

} // namespace marquetry::widgets
