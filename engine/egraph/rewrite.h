// Rewrites: a left-hand pattern, an optional side condition, and what is equal to each match.
//
// A right-hand side is a pattern, or an applier for what no pattern can say. With a pattern and no
// condition a match's result never changes, so saturation looks at each match once; conditions
// and appliers may read the whole e-graph and are asked again in every iteration.
//
// The applier adds right-hand sides with the origin it is given (RuleId, iteration, matched
// e-node) and appends to `equal` every class that equals the matched class; a rule with several
// candidate sizes appends several. The engine does the unions. An applier that finds nothing to
// add appends nothing. It must not call merge() or rebuild(), and must be deterministic.
// Applications see what earlier ones of the same iteration added; the matched e-node may have been
// subsumed meanwhile.
//
// makeRewrite builds a pattern-to-pattern rule from text. Errors: those of Pattern::parse, and
// unbound-variable when the right-hand side names a variable the left-hand side does not bind.
// Thread rule: conditions and appliers run on the thread that owns the e-graph.
#pragma once

#include "engine/egraph/ematch.h"

#include <functional>
#include <memory>

namespace marquetry::egraph {

using Condition = std::function<bool(const EGraph&, const Match&)>;
using Applier = std::function<void(EGraph&, const Match&, const Origin&, std::vector<EClassId>&)>;

struct Rewrite {
    std::string name;
    std::string group;
    Pattern lhs;
    Condition condition;                          ///< may be empty = always
    Applier apply;                                ///< when set, it is used instead of `rhs`
    std::shared_ptr<const Pattern> rhs = nullptr; ///< over the variables of `lhs`

    bool isPure() const { return rhs && !apply && !condition; }
    /// What `apply` does, or its like for `rhs`; the condition is not asked.
    void run(EGraph& egraph, const Match& match, const Origin& origin,
             std::vector<EClassId>& equal) const;
};

struct RewriteText {
    std::string name;
    std::string group;
    std::string lhs;
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
