// Rewrites: a left-hand pattern, an optional side condition, and what is equal to each match.
//
// The right-hand side is a pattern, or an applier where no pattern can express it. With a pattern
// and conditions on parameters alone the rule is *pure*: the result of a match never changes, so
// saturation looks at each match once. Any other rule says what its condition and applier read
// besides the parameters of the match:
//   Reads::Match   the operators and parameters of the matched e-node and the facts of the matched
//                  classes; saturation looks at a match again only when one of them changed
//   Reads::EGraph  anything, such as the other e-nodes of a class; every match is looked at in each
//                  iteration, because nothing tells when such a condition comes to hold
// A bare variable that is not pure is treated like Reads::EGraph.
//
// A rule may have several patterns (`also`) over one table of variables. The first is equal to the
// right-hand side for all values of the variables; the others only say which values are worth it.
// For several equal pairs at once make one rule of each, with the other patterns beside it.
//
// The applier adds right-hand sides with the origin it is given (RuleId, iteration, matched e-node)
// and appends to `equal` every class that equals the matched class. A rule with several candidate
// sizes appends several. The engine does the unions. An applier that finds nothing to add appends
// nothing. It must not call merge() or rebuild(), and must be deterministic. It sees what earlier
// applications of the same iteration added, and the matched e-node may have been subsumed
// meanwhile.
//
// makeRewrite builds a pattern-to-pattern rule from text; ';' comes between several patterns on the
// left. Errors: those of Pattern::parse, unbound-variable when the right-hand side names a variable
// the left-hand side does not bind, pattern-bare when one of several patterns is a bare variable.
// Thread rule: conditions and appliers run on the thread that owns the e-graph.
#pragma once

#include "engine/egraph/ematch.h"

#include <functional>
#include <memory>

namespace marquetry::egraph {

using Condition = std::function<bool(const EGraph&, const Match&)>;
using Applier = std::function<void(EGraph&, const Match&, const Origin&, std::vector<EClassId>&)>;

enum class Reads : std::uint8_t { EGraph, Match };

struct Rewrite {
    std::string name;
    std::string group;
    Pattern lhs;
    Condition condition;                          ///< may be empty = always
    Applier apply;                                ///< when set, it is used instead of `rhs`
    std::shared_ptr<const Pattern> rhs = nullptr; ///< over the variables of `lhs`
    std::vector<Pattern> also = {};               ///< over the variables of `lhs`
    std::vector<ParamCondition> paramConditions = {};
    Reads reads = Reads::EGraph; ///< by `condition` and `apply`

    bool isPure() const { return rhs && !apply && !condition; }
    /// Whether old matches need not be looked at again.
    bool isIncremental() const { return isPure() || (reads == Reads::Match && !lhs.root().isVar); }
    /// Adds a condition on parameters of `lhs`, named without '$'.
    void require(std::initializer_list<std::string_view> names,
                 std::function<bool(ParamSpan)> holds);
    /// Whether the conditions on parameters hold.
    bool admits(ParamSpan params) const;
    /// What `apply` does, or its like for `rhs`; the condition is not asked.
    void run(EGraph& egraph, const Match& match, const Origin& origin,
             std::vector<EClassId>& equal) const;
};

struct RewriteText {
    std::string name;
    std::string group;
    std::string lhs; ///< one pattern, or several with ';' between them
    std::string rhs;
};

Result<Rewrite> makeRewrite(const Language& language, const RewriteText& text,
                            Condition condition = {});

/// Adds the term of `pattern` under the substitution of `match`; returns its class.
EClassId instantiate(EGraph& egraph, const Pattern& pattern, const Match& match,
                     const Origin& origin);
/// Adds a term without variables, as given; the class of its root. Errors as Pattern::parse.
Result<EClassId> addTerm(EGraph& egraph, std::string_view text, const Origin& origin = {});

} // namespace marquetry::egraph
