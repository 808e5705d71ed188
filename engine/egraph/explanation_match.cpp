// The part of ExplanationBuilder that matches a rule again at an earlier time.
#include "engine/egraph/explanation.h"

#include <algorithm>

namespace marquetry::egraph {

namespace {

/// Rules often match in several ways; this many that come out equal are compared.
constexpr std::size_t kWaysCompared = 8;
/// Matches whose side condition fails on the terms at hand, tried again with equal terms.
constexpr std::size_t kRefusedKept = 16;
constexpr std::size_t kStandInsTried = 64;
/// Applying a rule to terms costs as much as trying this many e-nodes.
constexpr std::size_t kApplicationCost = 8;

/// Puts the parameters that the left-hand side binds into a match of the right-hand side; false
/// when the two sides bind one differently.
bool joinParams(const Rewrite& rule, const PastMatch& left, PastMatch& right) {
    std::vector<std::uint8_t> onRight(right.params.size(), 0);
    for (const PatternNode& node : rule.rhs->nodes)
        for (const ParamPattern& p : node.params)
            if (p.isVar)
                onRight[p.var.index()] = 1;
    for (const PatternNode& node : rule.lhs.nodes)
        for (const ParamPattern& p : node.params) {
            if (!p.isVar)
                continue;
            Param& value = right.params[p.var.index()];
            if (onRight[p.var.index()] && value != left.params[p.var.index()])
                return false;
            value = left.params[p.var.index()];
        }
    return true;
}

} // namespace

std::optional<ExplanationBuilder::RuleEdge>
ExplanationBuilder::matchAgain(const UnionEntry& entry, UnionHistory::Time time) {
    std::optional<RuleEdge> best;
    if (entry.origin.rule.index() >= rules_.size())
        return best;
    const Pattern& lhs = rules_[entry.origin.rule.index()].lhs;
    PastMatcher matcher(egraph_, history_, time, budget_), landing = matcher;
    std::vector<PastMatch> refused;
    std::size_t ways = 0;
    const auto consider = [&](const PastMatch& match) {
        const bool before = best.has_value();
        if (!tryMatch(entry, landing, match, best)) {
            if (refused.size() < kRefusedKept)
                refused.push_back(match);
            return !budget_.spend(kApplicationCost);
        }
        ways += before || best;
        return (best && best->cost == 0) || ways >= kWaysCompared ||
               !budget_.spend(kApplicationCost);
    };
    matcher.search(lhs, entry.left, false, {}, consider);
    for (std::size_t i = 0; !best && i < refused.size(); ++i)
        for (const std::vector<ENodeId>& fixed : standIns(refused[i], time)) {
            matcher.search(lhs, entry.left, false, fixed, consider);
            if (best || budget_.exhausted())
                break;
        }
    if (!best && budget_.exhausted())
        failOnBudget();
    return best;
}

/// A side condition may hold for an equal term only, say for the constant among them: what else the
/// variables of a match could stand for, leaves first.
std::vector<std::vector<ENodeId>> ExplanationBuilder::standIns(const PastMatch& match,
                                                               UnionHistory::Time time) const {
    std::vector<std::vector<ENodeId>> combinations{{}};
    for (ENodeId n : match.classes) {
        std::vector<ENodeId> equal{n}; // bound by the right-hand side alone
        if (n.valid())
            equal = history_.equalTo(n, time);
        std::ranges::stable_partition(
            equal, [&](ENodeId e) { return e.valid() && egraph_.originalChildren(e).empty(); });
        std::vector<std::vector<ENodeId>> longer;
        for (const std::vector<ENodeId>& prefix : combinations)
            for (ENodeId e : equal) {
                if (longer.size() == kStandInsTried)
                    break;
                longer.push_back(prefix);
                longer.back().push_back(e);
            }
        combinations = std::move(longer);
    }
    return combinations;
}

/// False when the side condition refuses the match; `best` is replaced by a cheaper way.
bool ExplanationBuilder::tryMatch(const UnionEntry& entry, PastMatcher& landing,
                                  const PastMatch& match, std::optional<RuleEdge>& best) {
    const Rewrite& rule = rules_[entry.origin.rule.index()];
    if (!rule.also.empty())
        return tryBothSides(entry, landing, match, best);
    const std::vector<RuleApplication> results = applied(entry.origin.rule, match);
    for (const RuleApplication& result : results) {
        const Pattern wanted = groundPattern(result.right, result.classes);
        landing.search(wanted, entry.right, true, match.classes, [&](const PastMatch& landed) {
            const std::size_t total = cost(match.replacements) + cost(landed.replacements);
            if (!best || total < best->cost)
                best = RuleEdge{match.replacements, landed.replacements, result, total};
            return true;
        });
    }
    return !results.empty();
}

/// The same for a rule with several patterns, whose right-hand side may bind variables as well.
bool ExplanationBuilder::tryBothSides(const UnionEntry& entry, PastMatcher& landing,
                                      const PastMatch& match, std::optional<RuleEdge>& best) {
    const Rewrite& rule = rules_[entry.origin.rule.index()];
    bool admitted = false;
    landing.search(*rule.rhs, entry.right, true, match.classes, [&](const PastMatch& landed) {
        PastMatch both = landed;
        if (!joinParams(rule, match, both))
            return false;
        const std::vector<RuleApplication> results = applied(entry.origin.rule, both);
        if (results.empty())
            return !budget_.spend(kApplicationCost);
        admitted = true;
        const std::size_t total = cost(match.replacements) + cost(landed.replacements);
        if (!best || total < best->cost)
            best = RuleEdge{match.replacements, landed.replacements, results.front(), total};
        return true;
    });
    return admitted;
}

/// What the rule gives under the substitution of a match.
std::vector<RuleApplication> ExplanationBuilder::applied(RuleId id, const PastMatch& match) {
    const Rewrite& rule = rules_[id.index()];
    RuleApplication use{id, {}, match.params, {}, {}};
    for (ENodeId n : match.classes)
        use.classes.push_back(n.valid() ? bank_.termOf(egraph_, n) : ProofTermId{});
    use.left = bank_.instance(rule.lhs, use.classes, use.params);
    return bank_.apply(rule, use);
}

/// The term as a pattern whose variables, by position in `leaves`, stand for those parts.
Pattern ExplanationBuilder::groundPattern(ProofTermId term,
                                          std::span<const ProofTermId> leaves) const {
    Pattern pattern;
    pattern.classVars.resize(leaves.size());
    pattern.classVarSorts.resize(leaves.size());
    std::unordered_map<ProofTermId, std::uint32_t> nodeOf;
    std::vector<ProofTermId> todo{term};
    while (!todo.empty()) {
        const ProofTermId next = todo.back();
        const std::size_t before = todo.size();
        const auto leaf = std::ranges::find(leaves, next);
        if (leaf == leaves.end())
            for (std::size_t k = 0; k < bank_.arity(next); ++k)
                if (!nodeOf.contains(bank_.child(next, k)))
                    todo.push_back(bank_.child(next, k));
        if (todo.size() > before)
            continue;
        todo.pop_back();
        if (!nodeOf.emplace(next, pattern.nodes.size()).second)
            continue;
        PatternNode node;
        node.isVar = leaf != leaves.end();
        if (node.isVar) {
            node.var = VarId{static_cast<std::size_t>(leaf - leaves.begin())};
        } else {
            node.op = bank_.op(next);
            for (Param p : bank_.params(next))
                node.params.push_back({false, p, {}});
            for (std::size_t k = 0; k < bank_.arity(next); ++k)
                node.children.push_back(nodeOf.at(bank_.child(next, k)));
        }
        pattern.nodes.push_back(std::move(node));
    }
    return pattern;
}

std::size_t ExplanationBuilder::cost(std::span<const Replacement> replacements) const {
    std::size_t edges = 0;
    for (const Replacement& r : replacements)
        edges += history_.pathLength(r.from, r.to);
    return edges;
}

} // namespace marquetry::egraph
