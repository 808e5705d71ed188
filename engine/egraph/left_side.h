// The left side of a rule, ready to search: a match program or, where the rule starts from a bare
// variable, the classes of one sort.
//
// A search is semi-naive: it gives the matches in which something changed since a mark, or all
// matches since the beginning. A class or a child that was merged is a change. For a rule that is
// more than two patterns, another fact of a class or of a child of a matched e-node is a change as
// well.
// Complexity: O(candidates). Thread rule: reads the e-graph only; the constructor interns labels.
#pragma once

#include "engine/egraph/matcher.h"
#include "engine/egraph/rewrite.h"

namespace marquetry::egraph {

class LeftSide {
public:
    LeftSide(EGraph& egraph, const Rewrite& rule);

    std::size_t classVars() const { return classVars_; }
    std::size_t paramVars() const { return paramVars_; }

    /// `sink` answers every RawMatch and `poll` now and then; false ends the search.
    template <class Sink, class Poll>
    void search(const EGraph& egraph, Mark since, Sink& sink, Poll& poll) const {
        if (program_)
            Matcher(egraph, *program_, sink, poll).changedSince(since, factsCount_);
        else
            forEachNewClass(egraph, since, sink);
    }

private:
    /// Classes of the variable's sort; an old class that grew is no new match.
    template <class Sink>
    void forEachNewClass(const EGraph& egraph, Mark since, Sink& sink) const {
        for (std::size_t i = since.enodes; i < egraph.totalEnodes(); ++i) {
            const EClassId id{i};
            const bool fits = !bareSort_.valid() || egraph.sort(id) == bareSort_;
            if (fits && egraph.find(id) == id && !sink(RawMatch{ENodeId{i}, &id, nullptr}))
                return;
        }
    }

    std::optional<MatchProgram> program_; ///< empty for a bare variable
    SortId bareSort_;
    std::size_t classVars_;
    std::size_t paramVars_;
    bool factsCount_;
};

/// The label of a node all of whose parameters are literal, interned: the program then compares
/// one integer. Invalid for another node.
LabelId internLiteral(EGraph& egraph, const PatternNode& node);

} // namespace marquetry::egraph
