#include "engine/rules/catalog.h"

#include <algorithm>

namespace marquetry::rules {

namespace {

using egraph::EClassId;
using egraph::EGraph;
using egraph::Param;

egraph::Rewrite makeRewrite(const UnitRule& rule, const Terms& terms, const Menu& menu,
                            std::shared_ptr<Facts> facts) {
    auto lhs = egraph::Pattern::parse(*terms.language, termPattern(rule.matches));
    ENGINE_ASSERT(lhs.has_value(), "the rule's pattern is well formed");
    egraph::Rewrite rewrite;
    rewrite.name = rule.name;
    rewrite.group = rule.group;
    rewrite.lhs = *std::move(lhs);
    rewrite.apply = [rule, terms, menu, facts](EGraph& egraph, const egraph::Match& match,
                                               const egraph::Origin& origin,
                                               std::vector<EClassId>& equal) {
        const ir::UnitShape* found = facts->unitShape(egraph, match.eclass);
        ENGINE_ASSERT(found != nullptr, "unit rules match unit classes");
        const ir::UnitShape shape = *found;
        for (const Candidate& candidate : rule.candidates(menu, shape)) {
            const EClassId child = addCanonical(egraph, terms, menu, candidate.child, origin);
            const EClassId children[] = {child};
            equal.push_back(egraph.add(terms.op(rule.makes), candidate.params, children, origin));
        }
    };
    return rewrite;
}

} // namespace

std::string termPattern(Skeleton skeleton, const std::string& params, const std::string& child) {
    std::string text = std::string("(") + info(skeleton).name;
    for (std::size_t k = 0; k < info(skeleton).params; ++k)
        text += " $" + params + std::to_string(k);
    return text + (info(skeleton).role == Role::Leaf ? "" : " " + child) + ")";
}

EClassId addCanonical(EGraph& egraph, const Terms& terms, const Menu& menu,
                      const ir::UnitShape& shape, const egraph::Origin& origin) {
    if (shape.function == ir::UnitFunction::Map)
        return egraph.add(
            terms.op(Skeleton::Map),
            {shape.height, shape.width, shape.rows, static_cast<Param>(shape.operand)}, {}, origin);
    const EClassId dot =
        egraph.add(terms.op(Skeleton::ParallelDot),
                   {initialParallelism(menu, shape.rows), shape.rows, shape.cols,
                    static_cast<Param>(shape.operand), static_cast<Param>(shape.weight)},
                   {}, origin);
    const EClassId mv = egraph.add(terms.op(Skeleton::Mv), {}, {dot}, origin);
    if (shape.function == ir::UnitFunction::Mv)
        return mv;
    return egraph.add(terms.op(Skeleton::Conv),
                      {shape.height, shape.width, shape.channels, shape.kernel, shape.stride}, {mv},
                      origin);
}

const std::vector<std::string>& ruleGroups() {
    static const std::vector<std::string> groups = {"parallelism", "tiling",  "padding",  "partial",
                                                    "fusion",      "storage", "skeletons"};
    return groups;
}

std::vector<egraph::Rewrite> makeRewrites(const Terms& terms, const Menu& menu,
                                          std::shared_ptr<Facts> facts,
                                          const std::vector<std::string>& without) {
    std::vector<egraph::Rewrite> rewrites = parallelismRewrites(terms, menu.policy);
    for (const auto& rules : {tilingRules(), paddingRules()})
        for (const UnitRule& rule : rules)
            rewrites.push_back(makeRewrite(rule, terms, menu, facts));
    std::ranges::move(splitRewrites(terms, menu, facts), std::back_inserter(rewrites));
    std::ranges::move(storageRewrites(terms, menu), std::back_inserter(rewrites));
    std::erase_if(rewrites, [&](const egraph::Rewrite& rewrite) {
        return std::ranges::find(without, rewrite.group) != without.end();
    });
    return rewrites;
}

} // namespace marquetry::rules
