// ExplanationBuilder: finds the steps between two equal e-nodes from the log of unions alone.
//
// A *lemma* is a pair of equal e-nodes with the steps between their terms. The path between the two
// in the union forest (union_history.h) consists of edges. An edge of congruence needs a lemma for
// each pair of children that differ. An edge of a rule needs the rule matched again with what was
// equal at an earlier time, and lemmas for everything that the match replaced. All these lemmas are
// about e-nodes that became equal earlier than the pair itself, so the work ends.
//
// A union that no rule gives again is a step of kGiven when it was asserted and not derived;
// otherwise it is the error proof-gap.
// Complexity: see proof.h. No recursion. Thread rule: one owner.
#pragma once

#include "engine/egraph/past_match.h"

namespace marquetry::egraph {

/// A step on the terms of a bank. Applications are stored once, in Steps.
struct RawStep {
    std::uint32_t application = 0; ///< index
    bool forward = true;
    Place place;
    ProofTermId before, after; ///< whole terms
};

struct RawProof {
    ProofTermId start, end;
    std::vector<RuleApplication> applications;
    std::vector<RawStep> steps;
    std::size_t lemmas = 0;
};

class ExplanationBuilder {
public:
    ExplanationBuilder(const EGraph& egraph, std::span<const Rewrite> rules,
                       const UnionHistory& history, TermBank& bank, SearchBudget& budget,
                       std::size_t maxSteps)
        : egraph_(egraph),
          rules_(rules),
          history_(history),
          bank_(bank),
          budget_(budget),
          maxSteps_(maxSteps) {}

    /// Errors: proof-limit, cancelled, proof-gap.
    Result<RawProof> explain(const ChosenTerm& from, const ChosenTerm& to);

private:
    using LemmaId = std::uint32_t;

    /// Part of a lemma: at a place, another lemma or one application.
    struct Item {
        Place place;
        bool isLemma = false;
        std::uint32_t index = 0; ///< of the lemma or the application
        bool forward = true;
    };
    struct Lemma {
        ENodeId from, to; ///< from < to; the proof asked for is a lemma without a pair
        ProofTermId start, end;
        bool expanded = false;
        bool done = false;
        std::vector<Item> items;
        std::vector<RawStep> steps;
    };
    /// A rule union: replacements at its left end, the application, replacements at its right end.
    struct RuleEdge {
        std::vector<Replacement> left, right; ///< from the e-nodes towards the application
        RuleApplication application;
        std::size_t cost = 0; ///< edges that the replacements stand for
    };

    LemmaId wanted(const ChosenTerm& from, const ChosenTerm& to);
    std::vector<Replacement> choices(const ChosenTerm& term);
    LemmaId lemma(ENodeId a, ENodeId b);
    Item lemmaItem(Place place, ENodeId from, ENodeId to);
    Item applicationItem(RuleApplication application);
    void expand(LemmaId id);
    void assemble(LemmaId id);
    const std::vector<Item>& edgeItems(UnionHistory::Time entry);
    std::vector<Item> congruenceItems(const UnionEntry& entry);
    std::vector<Item> ruleItems(const UnionEntry& entry, UnionHistory::Time time);

    std::optional<RuleEdge> matchAgain(const UnionEntry& entry, UnionHistory::Time time);
    bool tryMatch(const UnionEntry& entry, PastMatcher& landing, const PastMatch& match,
                  std::optional<RuleEdge>& best);
    bool tryBothSides(const UnionEntry& entry, PastMatcher& landing, const PastMatch& match,
                      std::optional<RuleEdge>& best);
    std::vector<RuleApplication> applied(RuleId id, const PastMatch& match);
    std::vector<std::vector<ENodeId>> standIns(const PastMatch& match,
                                               UnionHistory::Time time) const;
    Pattern groundPattern(ProofTermId term, std::span<const ProofTermId> leaves) const;
    std::size_t cost(std::span<const Replacement> replacements) const;
    void fail(std::string code, std::string message, std::string hint = {});
    void failOnBudget();

    const EGraph& egraph_;
    std::span<const Rewrite> rules_;
    const UnionHistory& history_;
    TermBank& bank_;
    SearchBudget& budget_;
    std::size_t maxSteps_;

    std::vector<Lemma> lemmas_;
    std::map<std::pair<ENodeId, ENodeId>, LemmaId> lemmaOf_;
    std::map<UnionHistory::Time, std::vector<Item>> edgeItems_; ///< by log entry, left to right
    std::vector<RuleApplication> applications_;
    std::optional<Diagnostic> failed_;
};

} // namespace marquetry::egraph
