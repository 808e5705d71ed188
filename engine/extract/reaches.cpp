#include "engine/extract/reaches.h"

#include <algorithm>

namespace marquetry::extract {

Reaches::Reaches(const UnitGraph& graph, const TermCost& cost, const PinBits& pins, int start,
                 std::stop_token stop)
    : graph_(graph), cost_(cost), pins_(pins), sets_(graph.classes.size()) {
    insert({{}, start, -1, {}});
    for (std::size_t next = 0; next < arena_.size(); ++next) {
        if (next % 1024 == 0 && stop.stop_requested())
            return;
        extend(static_cast<int>(next));
    }
}

void Reaches::extend(int index) {
    const Reach outer = reach(index);
    const std::vector<int>& set = sets_[static_cast<std::size_t>(outer.eclass)];
    if (std::ranges::find(set, index) == set.end())
        return; // dominated since it was found
    const UnitClass& eclass = graph_.classes[static_cast<std::size_t>(outer.eclass)];
    for (std::size_t n = 0; n < eclass.nodes.size(); ++n) {
        const UnitNode& node = eclass.nodes[n];
        ++steps_;
        if (node.child < 0)
            continue;
        const auto cost = cost_.descend(node, outer.cost);
        if (!cost)
            continue;
        Reach inner{*cost, node.child, index, {outer.eclass, static_cast<int>(n)}};
        if (!pins_.empty())
            inner.cost.pins |= pins_[static_cast<std::size_t>(outer.eclass)][n];
        insert(inner);
    }
}

void Reaches::insert(Reach reach) {
    std::vector<int>& set = sets_[static_cast<std::size_t>(reach.eclass)];
    for (int other : set)
        if (dominates(this->reach(other).cost, reach.cost))
            return;
    std::erase_if(set, [&](int other) { return dominates(reach.cost, this->reach(other).cost); });
    set.push_back(static_cast<int>(arena_.size()));
    arena_.push_back(reach);
}

std::vector<ParentEdge> Reaches::chain(int index) const {
    std::vector<ParentEdge> edges;
    for (int at = index; reach(at).outer >= 0; at = reach(at).outer)
        edges.push_back(reach(at).edge);
    std::ranges::reverse(edges);
    return edges;
}

} // namespace marquetry::extract
