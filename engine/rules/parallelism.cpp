// R-HALVE-PARALLELISM (SkeleShare Fig. 10; also of a partial dot product), under cycles
// R-OTHER-PARALLELISM, For → Par and ForR → ParR (EngineIR Fig. 2, R2). The iterations of a loop
// are independent: its body is a closed function.
#include "engine/rules/catalog.h"

#include "engine/support/checked_math.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <optional>

namespace marquetry::rules {

namespace {

/// Numbers of rows at once in place of P, for a matrix of M rows.
using OtherRows = std::function<std::vector<egraph::Param>(egraph::Param p, egraph::Param m)>;

egraph::Rewrite otherRows(const TermLanguage& terms, Skeleton dot, const std::string& name,
                          OtherRows others) {
    const std::string lhs = termPattern(dot);
    auto rule = egraph::makeRewrite(*terms.language, {name, "parallelism", lhs, lhs}, {});
    ENGINE_ASSERT(rule.has_value(), "the rule's text is well formed");
    rule->reads = egraph::Reads::Match;
    const std::size_t rows = dot == Skeleton::ParallelPartialDot ? 2 : 1;
    rule->apply = [op = terms.op(dot), rows, others = std::move(others)](
                      egraph::EGraph& egraph, const egraph::Match& match,
                      const egraph::Origin& origin, std::vector<egraph::EClassId>& equal) {
        std::vector<egraph::Param> params(match.params.begin(), match.params.end());
        for (const egraph::Param other : others(params[0], params[rows])) {
            params[0] = other;
            equal.push_back(egraph.add(op, params, {}, origin));
        }
    };
    return *std::move(rule);
}

std::int64_t bitCeil(std::int64_t value) {
    return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(value)));
}

/// More would be of no use for a matrix of so many rows.
std::int64_t mostParallel(const Menu& menu, std::int64_t rows) {
    return roundUp(rows, std::min(menu.lanes, bitCeil(rows)));
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

std::vector<egraph::Rewrite> parallelismRewrites(const TermLanguage& terms, const Menu& menu) {
    const bool any = menu.policy == Policy::Cycles && !menu.parallel.empty();
    const OtherRows half = [](egraph::Param p, egraph::Param) {
        return p > 1 ? std::vector{p / 2} : std::vector<egraph::Param>();
    };
    const OtherRows useful = [menu](egraph::Param, egraph::Param m) {
        const auto end = menu.parallel.upper_bound(mostParallel(menu, m));
        return std::vector<egraph::Param>(menu.parallel.begin(), end);
    };
    const std::string name = any ? "R-OTHER-PARALLELISM" : "R-HALVE-PARALLELISM";
    std::vector<egraph::Rewrite> rules;
    for (const auto& [dot, suffix] : {std::pair(Skeleton::ParallelDot, ""),
                                      std::pair(Skeleton::ParallelPartialDot, "-PARTIAL")})
        rules.push_back(otherRows(terms, dot, name + suffix, any ? useful : half));
    if (menu.policy == Policy::Published)
        return rules;
    for (std::size_t k = 0; k < kSkeletonCount; ++k) {
        const auto loop = static_cast<Skeleton>(k);
        if (const auto par = inParallel(loop))
            rules.push_back(parallelise(terms, loop, *par));
    }
    return rules;
}

std::set<std::int64_t> usefulParallelism(const std::set<std::int64_t>& rows, std::int64_t lanes) {
    const std::int64_t most = std::max(lanes, kMostProducts / lanes);
    std::set<std::int64_t> parallel = {1};
    for (std::int64_t whole : rows)
        for (std::int64_t at = 1; at <= std::min(whole, most); ++at) {
            const std::int64_t fewest = ceilDiv(whole, ceilDiv(whole, at)); // in as many blocks
            for (std::int64_t group = 1; group <= std::min(lanes, bitCeil(fewest)); group *= 2)
                if (roundUp(fewest, group) <= most)
                    parallel.insert(roundUp(fewest, group));
        }
    return parallel;
}

std::int64_t initialParallelism(const Menu& menu, std::int64_t rows) {
    return menu.policy == Policy::Cycles ? std::min(menu.lanes, bitCeil(rows)) : rows;
}

} // namespace marquetry::rules
