#include "engine/egraph/provenance.h"

#include "engine/egraph/egraph.h"

namespace marquetry::egraph {

namespace {

template <class Graph>
std::vector<OriginStep> chainIn(const Graph& graph, ENodeId node) {
    std::vector<OriginStep> chain;
    while (true) {
        const Origin& origin = graph.origin(node);
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

std::vector<OriginStep> originChain(const EGraphView& view, ENodeId node) {
    return chainIn(view, node);
}

} // namespace marquetry::egraph
