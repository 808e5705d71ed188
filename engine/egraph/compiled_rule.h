// A rewrite (rewrite.h) ready to run: its left side as a match program and, for a pure rule, its
// right side as labels and registers.
//
// search() finds the matches that are new since a mark. For a pure rule it keeps only those whose
// result is not in the e-graph yet. Dropping the others is safe, because an equality never ceases
// to hold. apply() adds the right-hand side of a kept match and unites it with the matched root.
//
// Both functions wait for memory more than they compute. Results are therefore looked up in
// batches, and each memory access is requested one round ahead. They are looked up twice: in the
// search, and again before applying, when other matches may have made many of the results.
//
// Complexity: search O(candidates), apply O(right-hand side) per match. Thread rule: search reads
// the e-graph, apply writes it; one call at a time per rule.
#pragma once

#include "engine/egraph/left_side.h"
#include "engine/egraph/match_buffer.h"

namespace marquetry::egraph {

class CompiledRule {
public:
    /// Enough memory accesses to keep the processor busy, few enough to stay in its nearer caches.
    static constexpr std::size_t kBatch = 128;

    struct SearchLimits {
        std::size_t maxMatches; ///< the search ends when it has seen more
        std::function<bool(const MatchBuffer&)> goOn;
    };

    /// Interns the labels of the rule in the e-graph. `rule` must outlive this object.
    CompiledRule(EGraph& egraph, const Rewrite& rule);

    const Rewrite& rule() const { return rule_; }
    MatchBuffer makeBuffer() const { return {left_.classVars(), left_.paramVars()}; }
    /// How many matches were seen; `found` gets those with something to add, of a rule that is not
    /// pure all.
    std::size_t search(const EGraph& egraph, Mark since, const SearchLimits& limits,
                       MatchBuffer& found);
    /// All matches there are, counted up to limits.maxMatches + 1.
    std::size_t countAll(const EGraph& egraph, const SearchLimits& limits) const;
    // Of a pure rule:
    /// Looks the results of matches `first` to `first` + kBatch up again: apply() of these comes
    /// next.
    void prepare(const EGraph& egraph, const MatchBuffer& matches, std::size_t first);
    /// True when it made a new e-node or a union. The last prepare() was for a batch with `i`.
    bool apply(EGraph& egraph, const MatchBuffer& matches, std::size_t i, const Origin& origin);

private:
    struct Node {
        bool isVar = false;
        VarId var;
        OpId op;
        LabelId label; ///< when all parameters are literal
        std::vector<ParamPattern> params;
        std::vector<std::uint32_t> children; ///< earlier nodes
    };

    /// Part of a match list that fits the tables below.
    struct Batch {
        const MatchBuffer& matches;
        std::size_t first, count;
    };

    void compileRight(EGraph& egraph, const Pattern& rhs);
    void keepMissing(const EGraph& egraph, const MatchBuffer& batch, MatchBuffer& kept);
    void lookUp(const EGraph& egraph, const Batch& batch);
    void lookUpNode(const EGraph& egraph, std::size_t k, const Batch& batch);
    LabelId labelIn(const EGraph& egraph, const Node& node, const Param* params);
    ChildSpan childrenOf(const Node& node, std::size_t lane);
    void readParams(const Node& node, const Param* params);
    EClassId& value(std::size_t node, std::size_t lane) { return values_[node * kBatch + lane]; }

    const Rewrite& rule_;
    LeftSide left_;
    std::vector<Node> right_; ///< of a pure rule
    // By lane, a match of the batch:
    std::vector<EClassId> values_;      ///< of the nodes of `right_`; invalid = not in the e-graph
    std::vector<std::uint32_t> hashes_; ///< of the node being looked up
    std::vector<LabelId> labels_;       ///< likewise; invalid = not in the e-graph
    std::vector<ENodeId> nodes_;        ///< likewise: what is found
    std::vector<EClassId> roots_;       ///< classes of the roots
    std::vector<EClassId> children_;    ///< of one node
    std::vector<Param> params_;
};

} // namespace marquetry::egraph
