#include "engine/egraph/egraph_view.h"

#include "engine/egraph/egraph.h"

namespace marquetry::egraph {

namespace {

std::span<const ENodeId> slice(const std::vector<ENodeId>& all,
                               const std::vector<std::uint32_t>& begin, EClassId id) {
    return {all.data() + begin[id.index()], all.data() + begin[id.index() + 1]};
}

} // namespace

std::span<const ENodeId> EGraphView::enodes(EClassId id) const {
    return slice(classNodes_, nodesBegin_, find(id));
}

std::span<const ENodeId> EGraphView::parents(EClassId id) const {
    return slice(classParents_, parentsBegin_, find(id));
}

FactId EGraphView::fact(EClassId id) const {
    return facts_.empty() ? FactId{} : facts_[find(id).index()];
}

std::shared_ptr<const EGraphView> EGraph::view() const {
    ENGINE_ASSERT(clean(), "a view is taken of a rebuilt e-graph");
    std::shared_ptr<EGraphView> v(new EGraphView);
    v->language_ = language_;
    v->store_ = store_;
    v->origins_ = origins_;
    v->subsumed_ = subsumed_;
    v->facts_ = facts_;
    v->unionCount_ = unions_.size();
    v->conflictCount_ = conflicts_.size();
    v->canonical_.reserve(store_.size());
    v->nodesBegin_.push_back(0);
    v->parentsBegin_.push_back(0);
    for (std::size_t i = 0; i < store_.size(); ++i) {
        const EClassId id{i};
        v->canonical_.push_back(find(id));
        if (v->canonical_.back() == id)
            v->eclasses_.push_back(id);
        const auto& members = classNodes_[i];
        const auto& users = classParents_[i];
        v->classNodes_.insert(v->classNodes_.end(), members.begin(), members.end());
        v->classParents_.insert(v->classParents_.end(), users.begin(), users.end());
        v->nodesBegin_.push_back(static_cast<std::uint32_t>(v->classNodes_.size()));
        v->parentsBegin_.push_back(static_cast<std::uint32_t>(v->classParents_.size()));
    }
    for (EClassId& child : v->store_.allChildren())
        child = v->canonical_[child.index()];
    return v;
}

} // namespace marquetry::egraph
