// A pure rewrite (rewrite.h) ready to run: left side as a match program, right side as labels and
// registers.
//
// search() finds the matches new since a mark and keeps those whose result is not in the e-graph
// yet; dropping the others is safe, since an equality never ceases to hold. apply() adds the
// right-hand side of a kept match and unites it with the matched root. Both wait for memory more
// than they compute, so search looks results up in batches, each memory access asked for one
// round ahead, and prepare() lets apply() ask ahead too.
// Complexity: search O(candidates), apply O(right-hand side) per match.
// Thread rule: search reads the e-graph, apply writes it; one call at a time per rule.
#pragma once

#include "engine/egraph/match_program.h"
#include "engine/egraph/rewrite.h"

namespace marquetry::egraph {

/// Matches by value: the root e-node, then the class variables; parameters beside them.
class MatchBuffer {
public:
    MatchBuffer() = default;
    MatchBuffer(std::size_t classes, std::size_t params) : classes_(classes), params_(params) {}

    std::size_t size() const { return roots_.size(); }
    ENodeId root(std::size_t i) const { return roots_[i]; }
    const EClassId* classes(std::size_t i) const { return classWords_.data() + i * classes_; }
    const Param* params(std::size_t i) const { return paramWords_.data() + i * params_; }
    void push(ENodeId root, const EClassId* classes, const Param* params) {
        roots_.push_back(root);
        classWords_.insert(classWords_.end(), classes, classes + classes_);
        paramWords_.insert(paramWords_.end(), params, params + params_);
    }
    void clear() {
        roots_.clear();
        classWords_.clear();
        paramWords_.clear();
    }
    std::size_t bytes() const {
        return roots_.capacity() * sizeof(ENodeId) + classWords_.capacity() * sizeof(EClassId) +
               paramWords_.capacity() * sizeof(Param);
    }

private:
    std::vector<ENodeId> roots_;
    std::vector<EClassId> classWords_;
    std::vector<Param> paramWords_;
    std::size_t classes_ = 0;
    std::size_t params_ = 0;
};

class CompiledRule {
public:
    struct SearchLimits {
        std::size_t maxMatches; ///< the search ends when it has seen more
        std::function<bool(const MatchBuffer&)> goOn;
    };

    /// Interns the labels of the rule in the e-graph. The rule is pure.
    CompiledRule(EGraph& egraph, const Rewrite& rule);

    MatchBuffer makeBuffer() const { return {classVars_, paramVars_}; }
    /// How many matches were seen; `found` gets those with something to add.
    std::size_t search(const EGraph& egraph, Mark since, const SearchLimits& limits,
                       MatchBuffer& found);
    /// All matches there are, counted up to limits.maxMatches + 1.
    std::size_t countAll(const EGraph& egraph, const SearchLimits& limits) const;
    /// Asks for the memory that apply() of match `i` reads first.
    void prepare(const EGraph& egraph, const MatchBuffer& matches, std::size_t i);
    /// True when it made a new e-node or a union.
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

    void compileRight(EGraph& egraph, const Pattern& rhs);
    void dropHolding(const EGraph& egraph, const MatchBuffer& batch, MatchBuffer& kept);
    void lookUp(const EGraph& egraph, std::size_t k, const MatchBuffer& batch);
    LabelId labelIn(const EGraph& egraph, const Node& node, const Param* params);
    ChildSpan childrenOf(const Node& node, std::size_t at);
    void readParams(const Node& node, const Param* params);
    template <class Visit>
    bool forEachNewClass(const EGraph& egraph, Mark since, Visit&& visit) const;

    std::optional<MatchProgram> left_; ///< empty for a bare variable
    SortId bareSort_;
    std::vector<Node> right_;
    std::size_t classVars_ = 0;
    std::size_t paramVars_ = 0;
    std::vector<EClassId> values_;      ///< of the nodes of `right_`, for each match of a batch
    std::vector<std::uint32_t> hashes_; ///< by match of a batch
    std::vector<LabelId> labels_;       ///< by match of a batch; invalid = not in the e-graph
    std::vector<EClassId> children_;
    std::vector<Param> params_;
};

} // namespace marquetry::egraph
