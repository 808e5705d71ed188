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
struct RuleApplication {
    RuleId rule;
    std::vector<ProofTermId> classes; ///< by VarId
    std::vector<Param> params;        ///< by ParamVarId
    ProofTermId left, right;
};

class TermBank {
public:
    TermBank(std::shared_ptr<const Language> language, Analysis* analysis)
        : store_(std::move(language), analysis) {}

    std::size_t size() const { return store_.totalEnodes(); }
    OpId op(ProofTermId t) const { return store_.op(node(t)); }
    ParamSpan params(ProofTermId t) const { return store_.params(node(t)); }
    std::size_t arity(ProofTermId t) const { return store_.children(node(t)).size(); }
    ProofTermId child(ProofTermId t, std::size_t k) const {
        return ProofTermId{store_.children(node(t))[k].value()};
    }
    SortId sort(ProofTermId t) const { return store_.language().result(op(t)); }

    ProofTermId add(OpId op, ParamSpan params, std::span<const ProofTermId> children);
    /// The term `n` was made for.
    ProofTermId termOf(const EGraph& egraph, ENodeId n);
    ProofTermId termOf(const EGraph& egraph, const ChosenTerm& term);

    /// The part of `whole` at a place, which must exist there.
    ProofTermId at(ProofTermId whole, std::span<const std::uint32_t> place) const;
    /// `whole` with `part` at a place of it.
    ProofTermId replace(ProofTermId whole, std::span<const std::uint32_t> place, ProofTermId part);

    /// What the variables of the rule's left-hand side stand for when it is `left` (`left` is set,
    /// `right` is not); nullopt when it is not, whatever the side condition says. Of a rule with
    /// several patterns also those of its right-hand side when it is `right`.
    std::optional<RuleApplication> match(RuleId id, const Rewrite& rule, ProofTermId left,
                                         ProofTermId right = {}) const;
    /// Everything the rule gives for `match.left`; nothing when its side condition does not hold.
    std::vector<RuleApplication> apply(const Rewrite& rule, const RuleApplication& match);
    /// The left-hand side under a substitution.
    ProofTermId instance(const Pattern& pattern, std::span<const ProofTermId> classes,
                         ParamSpan params);

private:
    bool match(const Pattern& pattern, ProofTermId term, RuleApplication& found,
               std::vector<std::uint8_t>& boundParams) const;
    static ENodeId node(ProofTermId t) { return ENodeId{t.value()}; }

    EGraph store_;
    std::unordered_map<ENodeId, ProofTermId> made_; ///< termOf, remembered
};

} // namespace marquetry::egraph
