// Proofs: why two terms of an e-graph are equal, as a list of rule applications with places
// (equational proofs from e-graphs: Flatt et al., FMCAD'22; congruence: Nieuwenhuis & Oliveras).
//
// Every e-node names one concrete term, the one it was made for (EGraph::originalChildren). A proof
// rewrites the term of one e-node, or a term chosen among equal e-nodes, to that of another; each
// step applies one rule at one place of the whole term, forwards (left to right) or backwards.
// Congruence has no steps of its own: a step below the root says where it happens.
//
// prove() works on demand from the union log; nothing but the log is kept during saturation. A
// union by a rule is understood by matching the rule again with what was equal *before* that union,
// so explanations cannot be circular. A rule may be a pattern, code, or have side conditions: it is
// applied again to the terms of each step, and only a step that comes out equal is used. Loops are
// cut and shorter ways are looked for with a bounded effort; the result is short, not shortest.
//
// Proofs are made of the live e-graph, since a rule's condition may ask it; a view or a replayed
// moment has the log but not the analysis. A Proof itself is a value that needs neither.
//
// checkProof() trusts nothing but the rules: it sees no e-graph, only terms.
//
// Errors of prove: not-equal (different e-classes, or a chosen child of another e-class),
// proof-limit, cancelled, proof-gap (a rule does not give on the terms what the log says it gave:
// its side condition depends on more than the term it matches). Of checkProof: proof-step, with the
// number of the first wrong step. Complexity: Prover O(e-nodes + unions) once; a proof then
// O(e-nodes of the classes it passes), times the steps. No recursion. Determinism: the same e-graph
// and rules give the same proof. Thread rule: prove reads the e-graph and interns facts in its
// analysis: owner thread. A Proof is a value, free to hand to any thread; printing is pure.
#pragma once

#include "engine/egraph/rewrite.h"

#include <memory>
#include <stop_token>

namespace marquetry::egraph {

using ProofTermId = StrongId<struct TermTag>;

/// One node of the table that holds all terms of a proof; equal terms have equal ids.
struct ProofTerm {
    OpId op;
    std::vector<Param> params;
    std::vector<ProofTermId> children; ///< earlier in the table

    bool operator==(const ProofTerm&) const = default;
};

struct ProofStep {
    RuleId rule;         ///< index into the rules, or kGiven for a union nobody derived
    bool forward = true; ///< the left-hand side is in `before`
    std::vector<std::uint32_t> place; ///< child positions from the root down to the rewritten part
    std::vector<ProofTermId> classes; ///< what each class variable stands for, by VarId; invalid
                                      ///< for one that is on neither side
    std::vector<Param> params;        ///< by ParamVarId; 0 likewise
    ProofTermId before, after;        ///< whole terms

    bool operator==(const ProofStep&) const = default;
};

struct ProofStats {
    std::size_t stepsBeforeShortening = 0;
    std::size_t lemmas = 0;     ///< pairs of e-nodes that needed an explanation
    std::size_t candidates = 0; ///< e-nodes tried while matching rules again
};

struct Proof {
    std::shared_ptr<const Language> language;
    std::vector<ProofTerm> terms; ///< children first
    ProofTermId start, end;
    std::vector<ProofStep> steps; ///< empty when the two terms are one
    ProofStats stats;

    const ProofTerm& term(ProofTermId id) const { return terms[id.index()]; }
    /// The part of `whole` at a place of it.
    ProofTermId at(ProofTermId whole, std::span<const std::uint32_t> place) const;
};

struct ProveParams {
    std::size_t maxSteps = 10'000;         ///< of any explanation on the way
    std::size_t maxCandidates = 2'000'000; ///< e-nodes tried while matching rules again
    std::size_t shortenBudget = 4'000;     ///< places and results tried for a shorter way; 0 = off
};

/// A term spelled by e-nodes, as extraction chooses them: each child is an e-node of the class that
/// its parent has there. A node without `children` stands for the whole term its e-node was made
/// for.
struct ChosenTerm {
    struct Node {
        ENodeId enode;
        std::vector<std::uint32_t> children; ///< earlier nodes, one per child of the e-node
    };
    std::vector<Node> nodes; ///< children first; the last is the root

    ENodeId root() const { return nodes.back().enode; }
    /// The term `n` was made for.
    static ChosenTerm of(ENodeId n) { return {{{n, {}}}}; }
    /// A chain of e-nodes with one child each, outermost first, as in design::Unit::chosen.
    static ChosenTerm chain(std::span<const ENodeId> outermostFirst);
};

class UnionHistory;

/// Proofs about one state of an e-graph. Unions made later are not seen.
class Prover {
public:
    /// `egraph` and `rules` (those it was saturated with) must outlive this object.
    Prover(const EGraph& egraph, std::span<const Rewrite> rules);
    ~Prover();

    Result<Proof> prove(const ChosenTerm& from, const ChosenTerm& to,
                        const ProveParams& params = {}, std::stop_token stop = {}) const;
    Result<Proof> prove(ENodeId from, ENodeId to, const ProveParams& params = {},
                        std::stop_token stop = {}) const {
        return prove(ChosenTerm::of(from), ChosenTerm::of(to), params, std::move(stop));
    }

private:
    bool equal(ENodeId a, ENodeId b) const;
    Status checkTerm(const ChosenTerm& term) const;

    const EGraph& egraph_;
    std::span<const Rewrite> rules_;
    std::unique_ptr<const UnionHistory> history_;
};

/// One proof; for several of one e-graph keep a Prover.
Result<Proof> prove(const EGraph& egraph, std::span<const Rewrite> rules, ENodeId from, ENodeId to,
                    const ProveParams& params = {}, std::stop_token stop = {});

struct ProofCheckParams {
    Analysis* analysis = nullptr; ///< for rules that ask for facts; null when none does
    bool acceptGiven = false;     ///< kGiven steps (unions of an imported e-graph) count as axioms
};

/// Applies every rule again at its place on the terms of the proof.
Status checkProof(const Proof& proof, std::span<const Rewrite> rules,
                  const ProofCheckParams& params = {});

struct ProofText {
    enum class Notation { Lisp, Function }; ///< (f 2 x) as patterns are written, or f[2](x)
    Notation notation = Notation::Lisp;
    std::size_t maxWidth = 160; ///< longer terms end in "…"
};

std::string formatTerm(const Proof& proof, ProofTermId term, const ProofText& text = {});
/// "R-TILE-MV → at 0.1: (f a) = (g a)": the rule, the direction (← backwards), the place, and the
/// part there before and after.
std::string formatStep(const Proof& proof, const ProofStep& step, std::span<const Rewrite> rules,
                       const ProofText& text = {});
/// The first term, then one numbered line per step, then the last term.
std::string format(const Proof& proof, std::span<const Rewrite> rules, const ProofText& text = {});

} // namespace marquetry::egraph
