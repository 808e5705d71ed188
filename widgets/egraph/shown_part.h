// The part of an e-graph that filters let through: by iteration (replay), rule, sort and layer.
//
// An e-node is shown when it passes every filter; an e-class when one of its e-nodes is. Replay
// shows what had been made up to an iteration, in the e-classes as they are now: what was merged
// later is together from the start.
// Complexity: O(e-nodes + edges) to make, O(1) per question. Thread rule: immutable; the index must
// outlive it.
#pragma once

#include "widgets/models/snapshot_index.h"

#include <limits>
#include <string>
#include <vector>

namespace marquetry::widgets {

struct EGraphFilter {
    int lastIteration = std::numeric_limits<int>::max(); ///< made in it or before; 0: as written
    std::string rule;                                    ///< made by it; empty: by any
    std::string sort;                                    ///< "unit", "value", "stored"; empty: all
    std::string layer; ///< what its call can be made of; empty: all layers

    bool operator==(const EGraphFilter&) const = default;
    bool empty() const { return *this == EGraphFilter{}; }
};

class ShownPart {
public:
    /// `index` must have an e-graph.
    ShownPart(const SnapshotIndex& index, const EGraphFilter& filter);

    bool shows(egraph::ENodeId node) const { return all_ || nodes_[node.index()]; }
    bool shows(egraph::EClassId eclass) const { return all_ || classes_[eclass.index()]; }
    /// Those shown of a class, insertion order.
    std::vector<egraph::ENodeId> enodes(egraph::EClassId eclass) const;
    const std::vector<egraph::EClassId>& eclasses() const { return shownClasses_; }
    std::size_t enodeCount() const { return enodeCount_; }

private:
    std::vector<bool> ofLayer(const SnapshotIndex& index, const std::string& layer) const;

    const egraph::FrozenEGraph& view_;
    bool all_ = false;
    std::vector<bool> nodes_;
    std::vector<bool> classes_;
    std::vector<egraph::EClassId> shownClasses_;
    std::size_t enodeCount_ = 0;
};

} // namespace marquetry::widgets
