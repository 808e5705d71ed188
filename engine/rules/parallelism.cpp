// R-HALVE-PARALLELISM (SkeleShare Fig. 10; also of a partial dot product), For → Par and ForR →
// ParR (EngineIR Fig. 2, R2). The iterations of a loop are independent: its body is a closed
// function.
#include "engine/rules/catalog.h"

#include <optional>

namespace marquetry::rules {

namespace {

egraph::Rewrite halve(const TermLanguage& terms, Skeleton dot, const std::string& name) {
    const std::string lhs = termPattern(dot);
    auto rule = egraph::makeRewrite(*terms.language, {name, "parallelism", lhs, lhs}, {});
    ENGINE_ASSERT(rule.has_value(), "the rule's text is well formed");
    rule->require({"p0"}, [](egraph::ParamSpan p) { return p[0] > 1; });
    rule->reads = egraph::Reads::Match;
    rule->apply = [op = terms.op(dot)](egraph::EGraph& egraph, const egraph::Match& match,
                                       const egraph::Origin& origin,
                                       std::vector<egraph::EClassId>& equal) {
        std::vector<egraph::Param> params(match.params.begin(), match.params.end());
        params[0] /= 2;
        equal.push_back(egraph.add(op, params, {}, origin));
    };
    return *std::move(rule);
}

egraph::Rewrite parallelise(const TermLanguage& terms, Skeleton loop, Skeleton par) {
    auto rule = egraph::makeRewrite(*terms.language,
                                    {std::string("R-FOR-TO-PAR-") + info(loop).name, "parallelism",
                                     termPattern(loop), termPattern(par)},
                                    {});
    ENGINE_ASSERT(rule.has_value(), "the rule's text is well formed");
    return *std::move(rule);
}

} // namespace

std::optional<Skeleton> inParallel(Skeleton loop) {
    const SkeletonInfo& entry = info(loop);
    if (!isSequential(entry.role))
        return std::nullopt;
    const SkeletonRole role =
        entry.role == SkeletonRole::For ? SkeletonRole::Par : SkeletonRole::ParR;
    for (std::size_t k = 0; k < kSkeletonCount; ++k) {
        const SkeletonInfo& other = info(static_cast<Skeleton>(k));
        if (other.role == role && other.axis == entry.axis && other.function == entry.function &&
            other.child == entry.child)
            return other.skeleton;
    }
    return std::nullopt;
}

std::vector<egraph::Rewrite> parallelismRewrites(const TermLanguage& terms, Policy policy) {
    std::vector<egraph::Rewrite> rules;
    rules.push_back(halve(terms, Skeleton::ParallelDot, "R-HALVE-PARALLELISM"));
    rules.push_back(halve(terms, Skeleton::ParallelPartialDot, "R-HALVE-PARALLELISM-PARTIAL"));
    if (policy == Policy::Published)
        return rules;
    for (std::size_t k = 0; k < kSkeletonCount; ++k) {
        const auto loop = static_cast<Skeleton>(k);
        if (const auto par = inParallel(loop))
            rules.push_back(parallelise(terms, loop, *par));
    }
    return rules;
}

std::int64_t initialParallelism(const Menu& menu, std::int64_t rows) {
    if (menu.policy != Policy::Cycles)
        return rows;
    std::int64_t parallel = 1;
    while (parallel < rows && parallel < menu.lanes)
        parallel *= 2;
    return parallel;
}

} // namespace marquetry::rules
