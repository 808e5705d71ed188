// R-HALVE-PARALLELISM (SkeleShare Fig. 10) and For → Par (EngineIR Fig. 2, R2).
#include "engine/rules/catalog.h"

namespace marquetry::rules {

namespace {

egraph::Rewrite halve(const Terms& terms) {
    auto rule = egraph::makeRewrite(*terms.language,
                                    {"R-HALVE-PARALLELISM", "parallelism",
                                     "(ParallelDot $p $m $n $a $w)", "(ParallelDot 1 $m $n $a $w)"},
                                    {});
    ENGINE_ASSERT(rule.has_value(), "the rule's text is well formed");
    rule->condition = [](const egraph::EGraph& egraph, const egraph::Match& match) {
        return egraph.params(match.root)[0] > 1;
    };
    rule->apply = [op = terms.op(Skeleton::ParallelDot)](
                      egraph::EGraph& egraph, const egraph::Match& match,
                      const egraph::Origin& origin, std::vector<egraph::EClassId>& equal) {
        std::vector<egraph::Param> params(match.params.begin(), match.params.end());
        params[0] /= 2;
        equal.push_back(egraph.add(op, params, {}, origin));
    };
    return *std::move(rule);
}

egraph::Rewrite parallelise(const Terms& terms, Skeleton loop, Skeleton par) {
    const bool pixels = info(loop).params == 4;
    const std::string tail = pixels ? " $a $b $c $d ?u)" : " $a $b ?u)";
    auto rule = egraph::makeRewrite(*terms.language,
                                    {std::string("R-FOR-TO-PAR-") + info(loop).name, "parallelism",
                                     std::string("(") + info(loop).name + tail,
                                     std::string("(") + info(par).name + tail},
                                    {});
    ENGINE_ASSERT(rule.has_value(), "the rule's text is well formed");
    return *std::move(rule);
}

} // namespace

std::vector<egraph::Rewrite> parallelismRewrites(const Terms& terms, Policy policy) {
    std::vector<egraph::Rewrite> rules;
    rules.push_back(halve(terms));
    if (policy == Policy::Published)
        return rules;
    rules.push_back(parallelise(terms, Skeleton::TiledMvRows, Skeleton::ParMvRows));
    rules.push_back(parallelise(terms, Skeleton::TiledConvHW, Skeleton::ParConvHW));
    rules.push_back(parallelise(terms, Skeleton::TiledConvOCH, Skeleton::ParConvOCH));
    return rules;
}

std::int64_t initialParallelism(const Menu& menu, std::int64_t rows) {
    if (menu.policy == Policy::Published)
        return rows;
    std::int64_t parallel = 1;
    while (parallel < rows && parallel < menu.lanes)
        parallel *= 2;
    return parallel;
}

} // namespace marquetry::rules
