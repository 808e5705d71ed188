// EGraphView: an immutable, self-contained picture of a clean e-graph.
//
// Same vocabulary as EGraph; e-node ids and class ids are the e-graph's. Subsumed e-nodes stay
// readable (op, params, children, origin, class) so that origin chains can be followed; class
// lists hold live e-nodes only. All child ids are canonical. Facts are ids into the client's
// table. Complexity: every accessor O(1), eclassOf and find included.
// Thread rule: immutable; any number of readers on any thread.
#pragma once

#include "engine/egraph/enode_store.h"
#include "engine/egraph/provenance.h"

#include <memory>

namespace marquetry::egraph {

class EGraphView {
public:
    const Language& language() const { return *language_; }
    const std::string& opName(ENodeId n) const { return language_->name(op(n)); }

    const std::vector<EClassId>& eclasses() const { return eclasses_; }
    EClassId find(EClassId id) const { return canonical_[id.index()]; }
    std::span<const ENodeId> enodes(EClassId id) const;
    /// Live e-nodes that have the class as a child, insertion order.
    std::span<const ENodeId> parents(EClassId id) const;
    SortId sort(EClassId id) const { return language_->result(op(ENodeId{find(id).value()})); }
    FactId fact(EClassId id) const;

    OpId op(ENodeId n) const { return store_.op(n); }
    ParamSpan params(ENodeId n) const { return store_.params(n); }
    ChildSpan children(ENodeId n) const { return store_.children(n); }
    EClassId eclassOf(ENodeId n) const { return canonical_[n.index()]; }
    const Origin& origin(ENodeId n) const { return origins_[n.index()]; }
    bool live(ENodeId n) const { return subsumed_[n.index()] == 0; }

    std::size_t enodeCount() const { return classNodes_.size(); }
    std::size_t eclassCount() const { return eclasses_.size(); }
    std::size_t totalEnodes() const { return store_.size(); }
    std::size_t unionCount() const { return unionCount_; }
    std::size_t conflictCount() const { return conflictCount_; }

private:
    friend class EGraph;
    EGraphView() = default;

    std::shared_ptr<const Language> language_;
    ENodeStore store_;
    std::vector<Origin> origins_;
    std::vector<std::uint8_t> subsumed_;
    std::vector<EClassId> canonical_; ///< by class id, which is also the id of its first e-node
    std::vector<EClassId> eclasses_;
    std::vector<std::uint32_t> nodesBegin_;   ///< by class id, size + 1
    std::vector<std::uint32_t> parentsBegin_; ///< by class id, size + 1
    std::vector<ENodeId> classNodes_;
    std::vector<ENodeId> classParents_;
    std::vector<FactId> facts_;
    std::size_t unionCount_ = 0;
    std::size_t conflictCount_ = 0;
};

} // namespace marquetry::egraph
