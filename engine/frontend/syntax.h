// The syntax tree of `design` items: what was written, with places, nothing resolved.
//
// Expressions of one item live in one vector and refer to each other by index, so that neither
// building nor freeing a deep one recurses. Thread rule: value types.
#pragma once

#include "engine/support/diagnostic.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace marquetry::frontend {

struct WordSyntax {
    std::string text;
    SourceRange range;
};

struct Number {
    std::int64_t value = 0;
    SourceRange range;
};

/// "pad: 1", "to: i8", "dims: [2, 3]", "mul: scales".
struct ParamSyntax {
    WordSyntax name;
    std::variant<Number, std::vector<Number>, WordSyntax> value; ///< Word: a scalar or a name
    SourceRange valueRange;
};

struct ExprSyntax {
    WordSyntax name; ///< of a value, or of the operator of a call
    bool isCall = false;
    std::vector<std::size_t> operands; ///< indices into DesignSyntax::expressions
    std::vector<ParamSyntax> params;
    SourceRange range;
};

struct TypeSyntax {
    WordSyntax scalar;
    std::vector<Number> dims;
    SourceRange range;
};

struct RandomSyntax {
    std::uint64_t seed = 0;
    std::optional<Number> lo;
    std::optional<Number> hi;
};
struct FileSyntax {
    std::string path;
};
struct ZerosSyntax {};

struct SourceSyntax {
    std::variant<RandomSyntax, FileSyntax, ZerosSyntax> source;
    SourceRange range;
};

enum class StatementKind : std::uint8_t { Input, Weight, Let, Output };

struct StatementSyntax {
    StatementKind kind = StatementKind::Let;
    WordSyntax name;
    TypeSyntax type;                    ///< Input, Weight
    std::optional<SourceSyntax> source; ///< Input, Weight
    std::size_t expression = 0;         ///< Let, Output
    /// The statement's text did not parse: its name is known, but means nothing.
    bool broken = false;
};

struct DesignSyntax {
    WordSyntax name;
    std::vector<StatementSyntax> statements;
    std::vector<ExprSyntax> expressions; ///< operands before their users
    bool broken = false;                 ///< some of its text did not parse
};

} // namespace marquetry::frontend
