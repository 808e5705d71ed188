// Patterns: terms with variables for e-classes (?a) and for integer parameters ($n).
//
// Text form, for rules and tests:  (op param… child…)  — parameters (integers or $name) come
// first, then children (?name, nested pattern, or the bare name of an operator without either).
//   "(add ?a (mul (num 2) ?b))"   "(num $n)"   "?a"
// Nodes are stored children first, so one pass in index order builds a term bottom-up. A
// variable that occurs twice must be bound to the same class (or integer) both times. A pattern
// for a variadic operator matches e-nodes of exactly the written arity.
//
// Errors of parse: pattern-syntax, unknown-operator, pattern-arity, pattern-sort,
// unbound-variable (only when new variables are not allowed).
// Several patterns may share one table of variables, so that an id means the same in all of them.
// Complexity: linear; no recursion. Thread rule: a value type.
#pragma once

#include "engine/egraph/enode.h"
#include "engine/support/result.h"

#include <functional>

namespace marquetry::egraph {

using VarId = StrongId<struct VarTag>;           ///< index of a class variable
using ParamVarId = StrongId<struct ParamVarTag>; ///< index of a parameter variable

struct ParamPattern {
    bool isVar = false;
    Param literal = 0;
    ParamVarId var;
};

struct PatternNode {
    bool isVar = false;
    VarId var; ///< when isVar
    OpId op;   ///< otherwise
    std::vector<ParamPattern> params;
    std::vector<std::uint32_t> children; ///< indices of earlier nodes
};

class Pattern {
public:
    std::vector<PatternNode> nodes; ///< children first; the last is the root
    std::vector<std::string> classVars;
    std::vector<std::string> paramVars;
    std::vector<SortId> classVarSorts; ///< invalid = not known (a bare variable)

    const PatternNode& root() const { return nodes.back(); }
    std::optional<VarId> classVar(std::string_view name) const;      ///< name without '?'
    std::optional<ParamVarId> paramVar(std::string_view name) const; ///< name without '$'

    /// A pattern with its own variables.
    static Result<Pattern> parse(const Language& language, std::string_view text);
    /// A pattern over the variables of `scope` only (the right-hand side of a rule).
    static Result<Pattern> parseIn(const Language& language, std::string_view text,
                                   const Pattern& scope);
    /// A pattern over the variables of `scope` and its own, which come after them.
    static Result<Pattern> parseBeside(const Language& language, std::string_view text,
                                       const Pattern& scope);
};

/// A side condition on integer parameters alone; matching asks it as soon as they are bound.
struct ParamCondition {
    std::vector<ParamVarId> reads;
    std::function<bool(ParamSpan)> holds; ///< of the values of `reads`, in this order; pure
};

std::string format(const Language& language, const Pattern& pattern);

} // namespace marquetry::egraph
