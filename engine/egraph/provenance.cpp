#include "engine/egraph/provenance.h"

#include "engine/egraph/egraph.h"

namespace marquetry::egraph {

OriginLog OriginLog::share() const {
    OriginLog copy;
    copy.roots_ = roots_.share();
    copy.runs_ = runs_;
    return copy;
}

UnionEntry UnionLog::operator[](std::size_t i) const {
    const auto [left, right] = pairs_[i];
    const OriginRuns::Run& run = runs_.at(i);
    const ENodeId root = isRule(run.rule)          ? left
                         : run.rule == kCongruence ? std::min(left, right)
                                                   : ENodeId{};
    return {left, right, {run.rule, run.iteration, root}};
}

void UnionLog::push(ENodeId left, ENodeId right, const Origin& origin) {
    runs_.note(pairs_.size(), origin.rule, origin.iteration);
    pairs_.push_back({isRule(origin.rule) && origin.root.valid() ? origin.root : left, right});
}

UnionLog UnionLog::share() const {
    UnionLog copy;
    copy.pairs_ = pairs_.share();
    copy.runs_ = runs_;
    return copy;
}

namespace {

template <class Graph>
std::vector<OriginStep> chainIn(const Graph& graph, ENodeId node) {
    std::vector<OriginStep> chain;
    while (true) {
        const Origin origin = graph.origin(node);
        chain.push_back({node, origin});
        if (origin.rule == kGiven)
            return chain;
        ENGINE_ASSERT(origin.root.valid() && origin.root < node,
                      "an e-node is younger than the e-node its rule matched");
        node = origin.root;
    }
}

} // namespace

std::vector<OriginStep> originChain(const EGraph& egraph, ENodeId node) {
    return chainIn(egraph, node);
}

std::vector<OriginStep> originChain(const FrozenEGraph& view, ENodeId node) {
    return chainIn(view, node);
}

} // namespace marquetry::egraph
