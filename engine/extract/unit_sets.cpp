#include "engine/extract/unit_sets.h"

#include <algorithm>

namespace marquetry::extract {

namespace {

std::int64_t instances(const UnitNode& node) {
    return rules::isParallel(rules::info(node.skeleton).role)
               ? rules::loopCount(node.skeleton, node.params)
               : 1;
}

} // namespace

UnitUse unitUse(const UnitGraph& graph, const std::vector<ParentEdge>& chain) {
    ENGINE_ASSERT(!chain.empty(), "a chain has a leaf");
    UnitUse use{chain.back().eclass, chain.back().node, 1};
    for (const ParentEdge& edge : chain)
        use.copies *= std::min(instances(graph.node(edge)), kMaxCopies / use.copies);
    return use;
}

std::vector<UnitUse> unitUses(const UnitGraph& graph, const ChainGraph& chains, int vertex,
                              std::stop_token stop) {
    std::set<UnitUse> uses;
    using Place = std::pair<int, std::int64_t>; // vertex, instances above it
    std::set<Place> seen = {{vertex, 1}};
    std::vector<Place> level = {{vertex, 1}};
    for (int height = 0; height < chains.maxHeight && !stop.stop_requested(); ++height) {
        std::vector<Place> next;
        for (const auto& [at, copies] : level) {
            const ChainVertex& here = chains.vertices[static_cast<std::size_t>(at)];
            for (const ChainEdge& edge : here.edges) {
                if (edge.to < 0) {
                    uses.insert({here.eclass, edge.node, copies});
                    continue;
                }
                const std::int64_t more = instances(graph.node({here.eclass, edge.node}));
                if (copies > kMaxCopies / more)
                    continue;
                if (seen.emplace(edge.to, copies * more).second)
                    next.emplace_back(edge.to, copies * more);
            }
        }
        level = std::move(next);
    }
    return {uses.begin(), uses.end()};
}

UnitSet withUse(UnitSet set, const UnitUse& use) {
    const auto place = std::ranges::lower_bound(
        set, std::pair(use.eclass, use.node), {},
        [](const UnitUse& other) { return std::pair(other.eclass, other.node); });
    if (place != set.end() && place->eclass == use.eclass && place->node == use.node)
        place->copies = std::max(place->copies, use.copies);
    else
        set.insert(place, use);
    return set;
}

std::optional<std::set<UnitSet>> unitSets(const std::vector<std::vector<UnitUse>>& usesByCall,
                                          std::size_t limit, std::stop_token stop) {
    std::set<UnitSet> sets = {UnitSet{}};
    for (const std::vector<UnitUse>& uses : usesByCall) {
        std::set<UnitSet> larger;
        for (const UnitSet& set : sets) {
            for (const UnitUse& use : uses)
                larger.insert(withUse(set, use));
            if (larger.size() > limit || stop.stop_requested())
                return std::nullopt;
        }
        sets = std::move(larger);
    }
    return sets;
}

} // namespace marquetry::extract
