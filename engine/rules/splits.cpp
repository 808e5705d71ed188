// R-SPLIT-… and R-INTERCHANGE-… (EngineIR R2-split and R2-icx: background/engineir.md, "Rules and
// their conditions").
//
//   For[a, nm] U = For[a, n](For[a, m] U)      one axis; both loops are ones its tiling rule makes
//   For[a](For[b] U) = For[b](For[a] U)        a ≠ b
//
// Both hold for reduction loops too: their partial results are plain sums modulo 2^32, and every
// write-back that is not linear happens after the whole unit. With For → Par they also reach every
// nest with a parallel loop.
#include "engine/rules/catalog.h"

#include <algorithm>

namespace marquetry::rules {

namespace {

using egraph::EClassId;
using egraph::EGraph;
using egraph::Param;
using egraph::ParamSpan;

egraph::Rewrite makeRule(const TermLanguage& terms, std::string name, const std::string& lhs) {
    auto pattern = egraph::Pattern::parse(*terms.language, lhs);
    ENGINE_ASSERT(pattern.has_value(), "the rule's pattern is well formed");
    egraph::Rewrite rewrite;
    rewrite.name = std::move(name);
    rewrite.group = "tiling";
    rewrite.lhs = *std::move(pattern);
    rewrite.reads = egraph::Reads::Match;
    return rewrite;
}

/// Sizes of a loop term: its tile, then the whole, each over one or two axes.
std::pair<ParamSpan, ParamSpan> sizes(ParamSpan params) {
    return {params.first(params.size() / 2), params.last(params.size() / 2)};
}

bool admits(const std::vector<Candidate>& candidates, const std::vector<Param>& params) {
    return std::ranges::find(candidates, params, &Candidate::params) != candidates.end();
}

egraph::Rewrite split(const TermLanguage& terms, const Menu& menu, std::shared_ptr<Facts> facts,
                      const UnitRule& tiling) {
    auto rule = makeRule(terms, std::string("R-SPLIT-") + info(tiling.makes).name,
                         termPattern(tiling.makes));
    const auto op = terms.op(tiling.makes);
    rule.apply = [op, menu, facts, tiling](EGraph& egraph, const egraph::Match& match,
                                           const egraph::Origin& origin,
                                           std::vector<EClassId>& equal) {
        const ir::UnitShape* shape = facts->unitShape(egraph, match.eclass);
        ENGINE_ASSERT(shape != nullptr, "loops match unit classes");
        const std::vector<Param> whole(match.params.begin(), match.params.end());
        const EClassId body = match.classes[0];
        for (const Candidate& outer : tiling.candidates(menu, ir::UnitShape(*shape))) {
            const ParamSpan tile = sizes(whole).first;
            const ParamSpan middle = sizes(outer.params).first;
            std::vector<Param> inner(tile.begin(), tile.end());
            inner.insert(inner.end(), middle.begin(), middle.end());
            if (!admits(tiling.candidates(menu, outer.child), inner))
                continue;
            const EClassId bodies[] = {body};
            const EClassId tiles[] = {egraph.add(op, inner, bodies, origin)};
            equal.push_back(egraph.add(op, outer.params, tiles, origin));
        }
    };
    return rule;
}

egraph::Rewrite interchange(const TermLanguage& terms, Skeleton outer, Skeleton inner) {
    auto rule =
        makeRule(terms, std::string("R-INTERCHANGE-") + info(outer).name + "-" + info(inner).name,
                 termPattern(outer, "a", termPattern(inner, "b")));
    const std::size_t cut = info(outer).params;
    rule.apply = [cut, outerOp = terms.op(outer), innerOp = terms.op(inner)](
                     EGraph& egraph, const egraph::Match& match, const egraph::Origin& origin,
                     std::vector<EClassId>& equal) {
        const std::vector<Param> params(match.params.begin(), match.params.end());
        const ParamSpan all(params);
        const EClassId bodies[] = {match.classes[0]};
        const EClassId tiles[] = {egraph.add(outerOp, all.first(cut), bodies, origin)};
        equal.push_back(egraph.add(innerOp, all.subspan(cut), tiles, origin));
    };
    return rule;
}

} // namespace

std::vector<Skeleton> splitLoops() {
    std::vector<Skeleton> loops;
    for (const UnitRule& rule : tilingRules())
        if (isSequential(info(rule.makes).role))
            loops.push_back(rule.makes);
    return loops;
}

bool interchanges(Skeleton outer, Skeleton inner) {
    return info(outer).function == info(inner).function && info(outer).axis != info(inner).axis;
}

std::vector<egraph::Rewrite> splitRewrites(const TermLanguage& terms, const Menu& menu,
                                           std::shared_ptr<Facts> facts) {
    std::vector<egraph::Rewrite> rewrites;
    if (menu.policy == Policy::Published)
        return rewrites;
    for (const UnitRule& rule : tilingRules())
        if (isSequential(info(rule.makes).role))
            rewrites.push_back(split(terms, menu, facts, rule));
    const std::vector<Skeleton> loops = splitLoops();
    for (Skeleton outer : loops)
        for (Skeleton inner : loops)
            if (interchanges(outer, inner))
                rewrites.push_back(interchange(terms, outer, inner));
    return rewrites;
}

} // namespace marquetry::rules
