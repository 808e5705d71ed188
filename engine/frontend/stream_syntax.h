// The syntax tree of `stream` items: what was written, with places, nothing resolved.
//
// Expressions and literals of one item live in vectors and refer to each other by index, parts
// before their users. Thread rule: value types.
#pragma once

#include "engine/frontend/syntax.h"
#include "engine/ir/stream_type.h"

namespace marquetry::frontend {

/// A number, a list of literals or a pair of them.
struct LiteralSyntax {
    enum class Kind : std::uint8_t { Number, List, Pair };
    Kind kind = Kind::Number;
    std::int64_t value = 0;                ///< of a number that is written out
    std::optional<std::size_t> expression; ///< of any other number
    std::vector<std::size_t> parts;        ///< indices into StreamSyntax::literals
    SourceRange range;
};

/// A type whose lengths are expressions, some with names.
struct StreamTypeSyntax {
    ir::StreamType::Kind kind = ir::StreamType::Kind::Scalar;
    ir::Scalar scalar = ir::Scalar::U8;  ///< Scalar
    std::size_t length = 0;              ///< STuple, Seq: index into StreamSyntax::expressions
    std::vector<StreamTypeSyntax> parts; ///< Pair: two; STuple, Seq: one
    SourceRange range;
};

/// An argument with a name: `border: clamp`.
struct NamedArgumentSyntax {
    WordSyntax name;
    std::size_t value = 0; ///< index into StreamSyntax::expressions
};

struct StreamExprSyntax {
    enum class Kind : std::uint8_t {
        Name,
        Call,
        Function,
        Number,
        Arithmetic,
        Const,
        Counter,
        Table
    };
    Kind kind = Kind::Name;
    WordSyntax name; ///< Name, Call
    /// Call: arguments; Function: its body; Arithmetic: its terms or factors; Counter: length and
    /// increment.
    std::vector<std::size_t> operands;
    std::vector<NamedArgumentSyntax> named; ///< Call
    std::string operators;              ///< Arithmetic: before each operand: + and -, or * and /
    std::vector<WordSyntax> parameters; ///< Function
    bool associative = false;           ///< Function
    std::int64_t number = 0;            ///< Number
    std::size_t literal = 0;            ///< Const, Table: its list
    StreamTypeSyntax type;              ///< Const, Counter and Table (of an element)
    SourceRange range;

    /// Applied to values.
    bool isFunction() const { return kind == Kind::Function || kind == Kind::Table; }
};

struct StreamStatementSyntax {
    StatementKind kind = StatementKind::Let;
    WordSyntax name;
    StreamTypeSyntax type;      ///< Input
    std::size_t expression = 0; ///< Let, Output
    bool broken = false;        ///< did not parse: its name is known, but means nothing
};

struct StreamSyntax {
    WordSyntax name;
    std::vector<StreamStatementSyntax> statements;
    std::vector<StreamExprSyntax> expressions;
    std::vector<LiteralSyntax> literals;
    bool broken = false; ///< some of its text did not parse
};

} // namespace marquetry::frontend
