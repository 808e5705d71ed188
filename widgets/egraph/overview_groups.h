// Groups of e-classes for the overview: the program as it is written, layer by layer, and what the
// rules made of it.
//
// A class that has an e-node as written belongs to the first layer, in the order of the program,
// that reaches it by e-nodes as written; what no call reaches is "program". Every other class
// belongs to the family of its oldest e-node's operator. Rules neither make nor change what is
// written, so that a class keeps its group while the e-graph grows, unless it is merged into
// another.
// Complexity: O(e-nodes + edges). Thread rule: pure.
#pragma once

#include "widgets/models/snapshot_index.h"

#include <string>
#include <vector>

namespace marquetry::widgets {

struct OverviewGroup {
    std::string name;     ///< of the layer or the operator
    bool written = false; ///< a part of the program
    std::vector<egraph::EClassId> classes{};
};

/// Layers with a call in the e-graph, in the order of the program; those it does not name last.
std::vector<std::string> layersInOrder(const SnapshotIndex& index);

/// All classes in groups, none empty: layers in order, "program", families by their oldest class.
/// Empty when nothing in the e-graph is the call of a layer.
std::vector<OverviewGroup> overviewGroups(const SnapshotIndex& index);

} // namespace marquetry::widgets
