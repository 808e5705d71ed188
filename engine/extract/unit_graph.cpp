#include "engine/extract/unit_graph.h"

#include <algorithm>

namespace marquetry::extract {

namespace {

void countCallSites(UnitGraph& graph) {
    std::vector<int> seenBy(graph.classes.size(), -1);
    std::vector<int> stack;
    for (std::size_t call = 0; call < graph.roots.size(); ++call) {
        stack.push_back(graph.roots[call]);
        while (!stack.empty()) {
            const auto index = static_cast<std::size_t>(stack.back());
            stack.pop_back();
            if (seenBy[index] == static_cast<int>(call))
                continue;
            seenBy[index] = static_cast<int>(call);
            ++graph.classes[index].callSites;
            for (const UnitNode& node : graph.classes[index].nodes)
                if (node.child >= 0)
                    stack.push_back(node.child);
        }
    }
}

} // namespace

UnitGraph buildUnitGraph(const rules::Lowered& lowered) {
    const egraph::EGraph& egraph = *lowered.egraph;
    UnitGraph graph;
    std::vector<int> indexOf(egraph.totalEnodes(), -1);
    for (egraph::EClassId id : egraph.eclasses()) {
        const ir::UnitShape* shape = lowered.facts->unitShape(egraph, id);
        if (shape == nullptr)
            continue;
        indexOf[id.index()] = static_cast<int>(graph.classes.size());
        graph.classes.push_back({id, *shape, {}, {}, 0});
    }
    for (std::size_t c = 0; c < graph.classes.size(); ++c) {
        for (egraph::ENodeId id : egraph.enodes(graph.classes[c].id)) {
            const auto params = egraph.params(id);
            UnitNode node{
                id, *lowered.terms.skeletonOf(egraph.op(id)), {params.begin(), params.end()}, -1};
            const auto children = egraph.children(id);
            if (!children.empty())
                node.child = indexOf[egraph.find(children[0]).index()];
            const ParentEdge edge{static_cast<int>(c),
                                  static_cast<int>(graph.classes[c].nodes.size())};
            if (node.child >= 0)
                graph.classes[static_cast<std::size_t>(node.child)].parents.push_back(edge);
            graph.classes[c].nodes.push_back(std::move(node));
        }
    }
    for (const rules::CallSite& call : lowered.calls)
        graph.roots.push_back(indexOf[egraph.find(call.unit).index()]);
    countCallSites(graph);
    return graph;
}

} // namespace marquetry::extract
