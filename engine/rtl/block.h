// What happens at a clock edge, or when its inputs change: assignments under conditions.
//
// The statements of a block run one after another; of several assignments to one register in a
// block the last holds. Thread rule: one builder.
#pragma once

#include "engine/rtl/expr.h"

#include <functional>
#include <utility>
#include <vector>

namespace marquetry::rtl {

class Module;
struct Statement;

/// Statements under a condition; without one, what is left.
struct Branch {
    Expr condition; ///< of no bits: otherwise. In a Select, a constant.
    std::vector<Statement> statements;
};

struct Statement {
    enum class Kind : std::uint8_t { Set, When, Select, Repeat };
    Kind kind = Kind::Set;
    Expr target;
    Expr value; ///< of a Set, or what a Select looks at
    std::vector<Branch> branches;
    VariablePtr variable; ///< of a Repeat
    Size count;
};

class Block {
public:
    using Body = std::function<void(Block&)>;

    explicit Block(Module& module) : module_(module) {}

    /// `target`: a register, a word of a memory, or a slice or bit of one; as wide as the value.
    void set(const Expr& target, const Expr& value);
    /// If, else if, else: the first condition that holds.
    Block& when(const Expr& condition, const Body& body);
    Block& orWhen(const Expr& condition, const Body& body);
    void otherwise(const Body& body);
    /// The case with the number of the subject, or `rest`, which must be given unless every number
    /// has a case.
    void select(const Expr& subject, const std::vector<std::pair<std::int64_t, Body>>& cases,
                const Body& rest = {});
    /// For a loop variable of 0 … count − 1. In blocks that have no clock.
    void repeat(const std::string& variable, const Size& count,
                const std::function<void(Block&, const Size&)>& body);

    std::vector<Statement> statements() && { return std::move(statements_); }

private:
    std::vector<Statement> inner(const Body& body);

    Module& module_;
    std::vector<Statement> statements_;
};

} // namespace marquetry::rtl
