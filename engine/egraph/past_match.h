// PastMatcher: how a pattern matched at an earlier time, on the terms that the e-nodes name.
//
// The term of an e-node seldom is an instance of a pattern by itself. Some children must first be
// replaced: by an equal e-node with the operator that the pattern asks for, or by the e-node that a
// variable stands for elsewhere in the pattern. Each match lists these replacements. Making them in
// order turns the term of the anchor into the instance. Only e-nodes that were equal at the given
// time are exchanged.
// Complexity: O(candidates tried), candidates nearest in the union forest first. No recursion: one
// level per operator of the pattern. Thread rule: reads only.
#pragma once

#include "engine/egraph/term_bank.h"
#include "engine/egraph/union_history.h"

#include <functional>
#include <map>

namespace marquetry::egraph {

/// At `place`, the term of `from` is replaced by that of the equal e-node `to`.
struct Replacement {
    Place place;
    ENodeId from, to;
};

struct PastMatch {
    std::vector<ENodeId> classes; ///< by VarId
    std::vector<Param> params;    ///< by ParamVarId
    std::vector<Replacement> replacements;
};

/// Bounds all searches of one proof.
struct SearchBudget {
    std::size_t left = 0;
    std::size_t used = 0;
    std::stop_token stop;

    bool spend(std::size_t amount);
    bool exhausted() const { return left == 0; }
};

class PastMatcher {
public:
    PastMatcher(const EGraph& egraph, const UnionHistory& history, UnionHistory::Time time,
                SearchBudget& budget)
        : egraph_(egraph), history_(history), time_(time), budget_(budget) {}

    /// Told each match; true ends the search.
    using Found = std::function<bool(const PastMatch&)>;

    /// Matches `pattern` at `anchor` itself, or (`anywhere`) at all e-nodes equal to it. Variables
    /// whose entry in `fixed` is valid stand for that e-node. Ends early on an exhausted budget.
    void search(const Pattern& pattern, ENodeId anchor, bool anywhere,
                std::span<const ENodeId> fixed, const Found& found);

private:
    /// One operator of the pattern; an outer one comes before those inside it.
    struct Level {
        std::uint32_t node = 0;
        std::size_t parent = 0; ///< level
        std::uint32_t child = 0;
        Place place;
    };
    /// Where a level is in its search, and how much it found bound when it began.
    struct Cursor {
        const std::vector<ENodeId>* candidates = nullptr;
        std::size_t next = 0;
        std::size_t boundClasses = 0, boundParams = 0, replacements = 0;
        ENodeId chosen, anchor;
    };

    void arrange(const Pattern& pattern);
    void enter(std::size_t level, ENodeId anchor, bool anywhere);
    void undo(const Cursor& to);
    bool advance(std::size_t level);
    bool bind(const Level& level, ENodeId n);
    bool bindClass(VarId var, ENodeId n, const Place& place);
    bool bindParam(const ParamPattern& pattern, Param value);
    const std::vector<ENodeId>& equalTo(ENodeId n);

    const EGraph& egraph_;
    const UnionHistory& history_;
    UnionHistory::Time time_;
    SearchBudget& budget_;
    std::map<ENodeId, std::vector<ENodeId>> members_; ///< equalTo, remembered
    std::vector<ENodeId> self_;                       ///< the only candidate at a fixed root

    const Pattern* pattern_ = nullptr;
    std::vector<Level> levels_;
    std::vector<Cursor> cursors_;
    PastMatch match_;
    std::vector<std::uint8_t> paramBound_;
    std::vector<VarId> classTrail_;
    std::vector<ParamVarId> paramTrail_;
};

} // namespace marquetry::egraph
