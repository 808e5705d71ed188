// Analysis: facts about the value of an e-class (background/egraph.md, "Analyses"). The client
// keeps the facts in a table and gives each a number.
//
// The engine stores one FactId per e-class and never looks inside. `make` gives the fact of one
// e-node from the facts of its children. `merge` joins the facts of two equal classes. It must be
// commutative, associative and idempotent up to equal table entries, and facts must not be able to
// grow for ever (a semilattice of finite height), or propagation would not end. For two facts that
// contradict each other it returns nullopt. The e-graph then keeps the fact of the older class and
// records a Diagnostic ("analysis-conflict") in conflicts().
//
// Facts describe the value of a class (type, shape, range), never a cost.
// Thread rule: called from the thread that owns the e-graph; readers of views need their own access
// to the client's fact table.
#pragma once

#include "engine/egraph/enode.h"

namespace marquetry::egraph {

class EGraph;

class Analysis {
public:
    virtual ~Analysis() = default;

    virtual FactId make(const EGraph& egraph, OpId op, ParamSpan params,
                        std::span<const FactId> children) = 0;
    virtual std::optional<FactId> merge(FactId older, FactId newer) = 0;
    /// Words for conflict messages.
    virtual std::string describe(FactId fact) const {
        return "fact " + std::to_string(fact.value());
    }
};

} // namespace marquetry::egraph
