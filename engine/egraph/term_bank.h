// TermBank: plain terms, each stored once, and rules applied to them.
//
// An e-graph without unions is a store of terms: every class has one e-node, so equal ids mean
// equal terms, appliers and side conditions run unchanged, and facts are those of the term itself.
// Errors: a term the language refuses is our own mistake (ENGINE_ASSERT).
// Complexity: as EGraph::add; replace O(length of the place). No recursion.
// Thread rule: one owner, who also owns the analysis.
#pragma once

#include "engine/egraph/proof.h"

#include <unordered_map>

namespace marquetry::egraph {

using Place = std::vector<std::uint32_t>; ///< child positions from the root down

/// A rule on terms: `left` is its left-hand side under (classes, params), `right` what it gives.
struct Application {
    RuleId rule;
    std::vector<TermId> classes; ///< by VarId
    std::vector<Param> params;   ///< by ParamVarId
    TermId left, right;
};

class TermBank {
public:
    TermBank(std::shared_ptr<const Language> language, Analysis* analysis)
        : store_(std::move(language), analysis) {}

    std::size_t size() const { return store_.totalEnodes(); }
    OpId op(TermId t) const { return store_.op(node(t)); }
    ParamSpan params(TermId t) const { return store_.params(node(t)); }
    std::size_t arity(TermId t) const { return store_.children(node(t)).size(); }
    TermId child(TermId t, std::size_t k) const {
        return TermId{store_.children(node(t))[k].value()};
    }
    SortId sort(TermId t) const { return store_.language().result(op(t)); }

    TermId add(OpId op, ParamSpan params, std::span<const TermId> children);
    /// The term `n` was made for.
    TermId termOf(const EGraph& egraph, ENodeId n);
    TermId termOf(const EGraph& egraph, const ChosenTerm& term);

    /// The part of `whole` at a place, which must exist there.
    TermId at(TermId whole, std::span<const std::uint32_t> place) const;
    /// `whole` with `part` at a place of it.
    TermId replace(TermId whole, std::span<const std::uint32_t> place, TermId part);

    /// What the variables of the rule's left-hand side stand for when it is `left` (`left` is set,
    /// `right` is not); nullopt when it is not, whatever the side condition says. Of a rule with
    /// several patterns also those of its right-hand side when it is `right`.
    std::optional<Application> match(RuleId id, const Rewrite& rule, TermId left,
                                     TermId right = {}) const;
    /// Everything the rule gives for `match.left`; nothing when its side condition does not hold.
    std::vector<Application> apply(const Rewrite& rule, const Application& match);
    /// The left-hand side under a substitution.
    TermId instance(const Pattern& pattern, std::span<const TermId> classes, ParamSpan params);

private:
    bool match(const Pattern& pattern, TermId term, Application& found,
               std::vector<std::uint8_t>& boundParams) const;
    static ENodeId node(TermId t) { return ENodeId{t.value()}; }

    EGraph store_;
    std::unordered_map<ENodeId, TermId> made_; ///< termOf, remembered
};

} // namespace marquetry::egraph
