// Patterns compiled to steps over registers (de Moura & Bjørner, CADE'07; egg's machine).
//
// A pattern is a conjunction of atoms, one for each operator in it: "node a has this operator,
// these parameters and children, and lies in this class". Class registers hold the pattern's
// variables and the class of every atom, so an atom inside another is a child like a variable. A
// plan orders the atoms. Each step takes its candidates from where the registers already point:
//   Scan     all e-nodes of the operator: the first step of a plan, and later a pattern that shares
//            no class with those before
//   Members  the e-nodes of a class already bound
//   Users    the e-nodes that hold a class already bound at one position
// It then compares or binds parameters and children, and checks the conditions whose parameters are
// all bound by then.
//
// plan(k) starts at atom k: plan(0) starts at the root and finds every match, the others find the
// matches around a changed e-node. A query may have several patterns over one table of variables. A
// match is then one of the first pattern, under a substitution for which the others match too.
// Complexity: compiling one plan is quadratic in the atoms. Thread rule: immutable once made.
#pragma once

#include "engine/egraph/label_table.h"
#include "engine/egraph/pattern.h"

namespace marquetry::egraph {

using Register = std::uint32_t;

enum class CandidateSource : std::uint8_t { Scan, Members, Users };

struct MatchStep {
    enum class ParamAction : std::uint8_t { Literal, Bind, Compare };
    struct ParamStep {
        ParamAction action;
        ParamVarId var;
        Param literal;
    };
    struct ChildStep {
        bool bind; ///< else compare
        Register slot;
    };

    CandidateSource source = CandidateSource::Scan;
    std::uint32_t atom = 0;     ///< 0 = root, then in text order
    Register from = 0;          ///< Members: that class; Users: the class held
    std::uint32_t position = 0; ///< Users: where it is held
    Register home = 0;          ///< the atom's class
    bool homeKnown = false;     ///< compare rather than bind `home`
    OpId op;
    LabelId label; ///< when the parameters are all literal and known to the e-graph
    std::vector<ParamStep> params;
    std::vector<ChildStep> children;
    std::vector<std::uint32_t> conditions; ///< indices; all they read is bound after this label
};

struct MatchPlan {
    std::vector<MatchStep> steps;
};

class MatchProgram {
public:
    /// No pattern is a bare variable. The first has the table of all variables.
    struct Query {
        const Pattern& pattern;
        std::span<const Pattern> also = {};
        std::span<const ParamCondition> conditions = {};
    };

    /// With more atoms than `maxPlans` there is plan(0) alone.
    MatchProgram(const LabelTable& labels, const Query& query, std::size_t maxPlans);

    std::size_t planCount() const { return plans_.size(); }
    std::size_t atomCount() const { return plans_[0].steps.size(); }
    const MatchPlan& plan(std::size_t atom) const { return plans_[atom]; }
    std::size_t classRegisters() const { return classRegisters_; }
    std::size_t paramRegisters() const { return paramRegisters_; }
    const ParamCondition& condition(std::uint32_t index) const { return conditions_[index]; }
    /// A changed class makes no new match of a single atom with distinct variables.
    bool linearAtom() const { return linearAtom_; }

private:
    std::vector<MatchPlan> plans_; ///< by first atom
    std::vector<ParamCondition> conditions_;
    std::size_t classRegisters_ = 0;
    std::size_t paramRegisters_ = 0;
    bool linearAtom_ = false;
};

} // namespace marquetry::egraph
