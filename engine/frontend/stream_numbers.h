// The named numbers of a `stream` item, and what expressions of numbers are worth.
//
// `let W = 1920;` names a number when all of it are numbers. Such names may be used anywhere in
// the item, also before their statement and inside functions: in lengths, distances, elements of
// constants, and where an operator takes a number. Values are exact, in 64 bits; a quotient must be
// a whole number.
//
// Errors (reported, each once; then there is no value): unknown-name, type-mismatch (a value in
// arithmetic), number-too-large, bad-parameter (a quotient), number-cycle, too-deep; for types also
// bad-dimension, too-large.
// Complexity: each name is computed once. Thread rule: one owner.
#pragma once

#include "engine/frontend/once_reporter.h"
#include "engine/frontend/stream_syntax.h"

#include <map>
#include <optional>
#include <string>

namespace marquetry::frontend {

class StreamNumbers {
public:
    using MaybeNumber = std::optional<std::int64_t>;

    /// Both must outlive it.
    StreamNumbers(const StreamSyntax& stream, OnceReporter& reporter);

    /// Whether a statement of the item names a number so.
    bool isNumber(const std::string& name) const { return named_.contains(name); }

    MaybeNumber named(const WordSyntax& name);
    MaybeNumber value(const StreamExprSyntax& expression);
    MaybeNumber value(const LiteralSyntax& literal);
    /// Whether all numbers of literal number `root` have a value.
    bool areKnown(std::size_t root);
    std::optional<ir::StreamType> type(const StreamTypeSyntax& type);

private:
    enum class State : std::uint8_t { Unknown, Pending, Known, Wrong };
    struct NamedNumber {
        const StreamExprSyntax* expression = nullptr; ///< null: did not parse
        State state = State::Unknown;
        std::int64_t value = 0;
    };

    void addAliases(const std::multimap<std::string, const StreamStatementSyntax*>& aliases);
    MaybeNumber unknown(const WordSyntax& name);
    MaybeNumber arithmetic(const StreamExprSyntax& expression);
    MaybeNumber sum(const StreamExprSyntax& expression);
    MaybeNumber combined(std::int64_t a, char symbol, std::int64_t b, const SourceRange& range);
    std::optional<ir::StreamType> typeOf(const StreamTypeSyntax& type);
    std::optional<ir::StreamType> sequenceType(const StreamTypeSyntax& type);
    std::nullopt_t error(std::string code, std::string message, std::string hint,
                         const SourceRange& range);

    const StreamSyntax& stream_;
    OnceReporter& reporter_;
    std::map<std::string, NamedNumber> named_;
    int depth_ = 0;  ///< of names
    int nested_ = 0; ///< of arithmetic, through all names
};

} // namespace marquetry::frontend
