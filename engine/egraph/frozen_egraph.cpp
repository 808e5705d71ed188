#include "engine/egraph/frozen_egraph.h"

namespace marquetry::egraph {

const std::vector<EClassId>& FrozenEGraph::eclasses() const {
    std::call_once(listed_, [this] {
        eclasses_.reserve(eclassCount_);
        for (std::size_t i = 0; i < store_.size(); ++i)
            if (store_.parent(EClassId{i}) == EClassId{i})
                eclasses_.push_back(EClassId{i});
    });
    return eclasses_;
}

FactId FrozenEGraph::fact(EClassId id) const {
    return facts_.empty() ? FactId{} : facts_[find(id).index()];
}

} // namespace marquetry::egraph
