// SnapshotIndex: what belongs together in a snapshot, looked up from either end.
//
// linked(subject) gives every layer, unit, call, e-class, e-node and buffer that a subject stands
// for, so that each view can highlight its part (brushing and linking). The e-nodes of a design
// refer to the e-graph by id. One that has become congruent to an older e-node (subsumed) is
// replaced by that e-node. One that the snapshot's e-graph does not hold yet is left out.
//
// Complexity: building O(e-nodes + design); linked() O(size of the design + answer), plus a walk up
// to the calls for layersReaching(). Thread rule: immutable; holds the snapshot.
#pragma once

#include "widgets/models/selection.h"

#include <map>
#include <memory>
#include <set>
#include <vector>

namespace marquetry::widgets {

/// Sorted, without duplicates; e-class ids are canonical.
struct Linked {
    std::vector<std::string> layers;
    std::vector<design::UnitId> units;
    std::vector<design::CallId> calls;
    std::vector<egraph::EClassId> eclasses;
    std::vector<egraph::ENodeId> enodes;
    std::vector<design::BufferId> buffers;
};

class SnapshotIndex {
public:
    /// `snapshot` must not be null.
    explicit SnapshotIndex(std::shared_ptr<const session::Snapshot> snapshot);

    const session::Snapshot& snapshot() const { return *snapshot_; }
    const egraph::FrozenEGraph* egraph() const { return snapshot_->egraph.get(); }
    const design::Design* design() const { return snapshot_->design.get(); }

    /// False for ids the snapshot does not hold (any more).
    bool exists(const Subject& subject) const;
    Linked linked(const Subject& subject) const;

    /// Part of the chosen design, or the call of one of its layers.
    bool chosen(egraph::ENodeId node) const { return chosen_.contains(node); }
    bool chosen(egraph::EClassId eclass) const { return chosenClasses_.contains(eclass); }
    const std::set<egraph::EClassId>& chosenClasses() const { return chosenClasses_; }
    /// The class of a unit with two or more call sites.
    bool shared(egraph::EClassId eclass) const { return sharedClasses_.contains(eclass); }
    /// Has a pin that is switched on.
    bool pinned(egraph::ENodeId node) const { return pinnedNodes_.contains(node); }
    bool pinned(egraph::EClassId eclass) const { return pinnedClasses_.contains(eclass); }

    /// Name a pin uses for the class ("Mv 64×576"), empty when it is not known as a unit.
    std::string unitName(egraph::EClassId eclass) const;
    const design::SharingCandidate* candidate(egraph::EClassId eclass) const;
    /// Layers whose call can go through the class, in the order of their names.
    std::vector<std::string> layersReaching(egraph::EClassId eclass) const;
    /// Layers with a call in the e-graph, in the order of their names.
    std::vector<std::string> layers() const;
    std::optional<egraph::ENodeId> callNode(const std::string& layer) const;
    std::optional<design::CallId> callOf(const std::string& layer) const;
    /// The chosen e-node's layer, if exactly one call goes through it.
    std::string onlyLayerOf(egraph::ENodeId node) const;
    /// Invalid when no rule of the snapshot has the name, or it is switched off.
    egraph::RuleId ruleId(const std::string& name) const;
    /// Also of rules that are switched off one by one; null when the snapshot has none.
    const rules::RuleText* ruleText(const std::string& name) const;
    /// The switched-on pin that says exactly this, or null.
    const design::Pin* pin(design::PinKind kind, const std::string& target,
                           const std::string& layer) const;

private:
    void indexCalls();
    void indexDesign();
    void indexPins();
    void addChosen(const std::vector<egraph::ENodeId>& nodes);
    std::optional<egraph::ENodeId> liveNode(egraph::ENodeId node) const;
    bool hasClass(egraph::EClassId id) const;
    std::set<egraph::EClassId> unitClasses(const design::DesignUnit& unit) const;
    std::set<egraph::EClassId> callClasses(const design::DesignCall& call) const;
    void addCall(Linked& linked, design::CallId id) const;
    void addUnit(Linked& linked, design::UnitId id) const;
    void addClass(Linked& linked, egraph::EClassId id) const;
    void addRule(Linked& linked, egraph::RuleId rule) const;
    void addBuffer(Linked& linked, design::BufferId id) const;
    std::vector<design::BufferId> buffersOf(const design::DesignCall& call) const;
    std::vector<std::string> storedNames(const design::DesignCall& call) const;

    std::shared_ptr<const session::Snapshot> snapshot_;
    std::map<std::string, egraph::ENodeId> callNodes_;
    std::set<egraph::ENodeId> chosen_;
    std::set<egraph::EClassId> chosenClasses_;
    std::set<egraph::EClassId> sharedClasses_;
    std::map<egraph::EClassId, std::string> unitNames_;
    std::set<egraph::ENodeId> pinnedNodes_;
    std::set<egraph::EClassId> pinnedClasses_;
};

} // namespace marquetry::widgets
