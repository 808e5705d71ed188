// FrozenEGraph: an immutable picture of a clean e-graph, and with it of every earlier moment.
//
// Same vocabulary as EGraph; e-node ids and class ids are the e-graph's. Subsumed e-nodes stay
// readable (op, params, children, origin, class) so that origin chains can be followed; class
// lists hold live e-nodes only. All child ids of live e-nodes are canonical. Facts are ids into
// the client's table. The union log is the record of the run.
// Complexity: O(1), but lists O(their length · log), find O(path), eclasses() O(e-nodes) at its
// first call. Taking a view copies nothing but page pointers; memory is shared with the e-graph
// and other views until the e-graph changes a page.
// Thread rule: immutable; any number of readers on any thread.
#pragma once

#include "engine/egraph/enode_store.h"
#include "engine/egraph/provenance.h"

#include <memory>
#include <mutex>

namespace marquetry::egraph {

/// Nothing but an address: which e-graph a view is of.
struct EGraphIdentity {};

class FrozenEGraph {
public:
    /// Of one e-graph, at any moments: only then ids of one mean something in the other.
    bool sameEGraph(const FrozenEGraph& other) const { return identity_ == other.identity_; }
    const Language& language() const { return *language_; }
    const std::string& opName(ENodeId n) const { return language_->name(op(n)); }

    const std::vector<EClassId>& eclasses() const;
    EClassId find(EClassId id) const { return store_.find(id); }
    std::vector<ENodeId> enodes(EClassId id) const { return store_.members(find(id)); }
    /// Live e-nodes that have the class as a child, insertion order.
    std::vector<ENodeId> parents(EClassId id) const { return store_.users(find(id)); }
    SortId sort(EClassId id) const { return language_->result(op(ENodeId{find(id).value()})); }
    FactId fact(EClassId id) const;

    OpId op(ENodeId n) const { return store_.op(n); }
    ParamSpan params(ENodeId n) const { return store_.params(n); }
    ChildSpan children(ENodeId n) const { return store_.children(n); }
    ChildSpan originalChildren(ENodeId n) const { return store_.originalChildren(n); }
    EClassId eclassOf(ENodeId n) const { return find(EClassId{n.value()}); }
    Origin origin(ENodeId n) const { return keepsProvenance_ ? origins_[n.index()] : Origin{}; }
    bool live(ENodeId n) const { return store_.live(n); }

    std::size_t enodeCount() const { return enodeCount_; }
    std::size_t eclassCount() const { return eclassCount_; }
    std::size_t totalEnodes() const { return store_.size(); }
    std::size_t unionCount() const { return unionCount_; }
    std::size_t conflictCount() const { return conflictCount_; }

    bool keepsProvenance() const { return keepsProvenance_; }
    const UnionLog& unionLog() const { return unions_; }
    const ENodeStore& store() const { return store_; }

private:
    friend class EGraph;
    FrozenEGraph() = default;

    std::shared_ptr<const Language> language_;
    std::shared_ptr<const EGraphIdentity> identity_;
    ENodeStore store_;
    PagedArray<FactId> facts_;
    OriginLog origins_;
    UnionLog unions_;
    bool keepsProvenance_ = true;
    std::size_t enodeCount_ = 0;
    std::size_t eclassCount_ = 0;
    std::size_t unionCount_ = 0;
    std::size_t conflictCount_ = 0;
    mutable std::once_flag listed_;
    mutable std::vector<EClassId> eclasses_; ///< filled once
};

} // namespace marquetry::egraph
