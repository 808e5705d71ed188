// Matching from the definition, the oracle of the matching tests: every way to walk the patterns
// through the e-nodes of every class. No order of atoms, no index, no recursion avoided.
#pragma once

#include "engine/egraph/rewrite.h"

#include <map>
#include <set>

namespace marquetry::egraph {

struct Bindings {
    std::map<std::uint32_t, EClassId> classes;
    std::map<std::uint32_t, Param> params;
    auto operator<=>(const Bindings&) const = default;
};
/// The class of the first pattern's root, and the substitution.
using BruteMatch = std::pair<EClassId, Bindings>;

inline std::vector<Bindings> bruteWalk(const EGraph& g, const Pattern& pattern, std::size_t at,
                                       EClassId id, const Bindings& bound) {
    const PatternNode& node = pattern.nodes[at];
    if (node.isVar) {
        Bindings next = bound;
        const bool fits = next.classes.emplace(node.var.value(), id).first->second == id;
        return fits ? std::vector{next} : std::vector<Bindings>{};
    }
    std::vector<Bindings> all;
    for (ENodeId n : g.enodes(id)) {
        if (g.op(n) != node.op)
            continue;
        std::vector<Bindings> ways{bound};
        for (std::size_t k = 0; k < node.params.size(); ++k) {
            const ParamPattern& p = node.params[k];
            const Param have = g.params(n)[k];
            std::erase_if(ways, [&](Bindings& way) {
                return have != (p.isVar ? way.params.emplace(p.var.value(), have).first->second
                                        : p.literal);
            });
        }
        for (std::size_t k = 0; k < node.children.size(); ++k) {
            std::vector<Bindings> longer;
            for (const Bindings& way : ways)
                for (Bindings& next :
                     bruteWalk(g, pattern, node.children[k], g.find(g.children(n)[k]), way))
                    longer.push_back(std::move(next));
            ways = std::move(longer);
        }
        all.insert(all.end(), ways.begin(), ways.end());
    }
    return all;
}

inline std::set<BruteMatch> bruteMatches(const EGraph& g, const Rewrite& rule) {
    std::set<BruteMatch> found;
    const auto rootOf = [](const Pattern& p) { return p.nodes.size() - 1; };
    for (EClassId root : g.eclasses()) {
        std::vector<Bindings> ways = bruteWalk(g, rule.lhs, rootOf(rule.lhs), root, {});
        for (const Pattern& pattern : rule.also) {
            std::vector<Bindings> longer;
            for (const Bindings& way : ways)
                for (EClassId other : g.eclasses())
                    for (Bindings& next : bruteWalk(g, pattern, rootOf(pattern), other, way))
                        longer.push_back(std::move(next));
            ways = std::move(longer);
        }
        for (Bindings& way : ways)
            found.emplace(root, std::move(way));
    }
    return found;
}

} // namespace marquetry::egraph
