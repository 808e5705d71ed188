#include "engine/frontend/stream_numbers.h"

#include "engine/frontend/suggest.h"
#include "engine/support/limits.h"

#include <algorithm>
#include <vector>

namespace marquetry::frontend {

namespace {

using Kind = StreamExprSyntax::Kind;
using TypeKind = ir::StreamType::Kind;

/// What the operator is called on values.
std::string forValues(char symbol) {
    switch (symbol) {
    case '+':
        return "write add(a, b) for values";
    case '-':
        return "write sub(a, b) for values";
    case '*':
        return "write mul(a, b) for values";
    default:
        return "";
    }
}

} // namespace

StreamNumbers::StreamNumbers(const StreamSyntax& stream, OnceReporter& reporter)
    : stream_(stream), reporter_(reporter) {
    std::multimap<std::string, const StreamStatementSyntax*> aliases;
    for (const StreamStatementSyntax& statement : stream.statements) {
        if (statement.kind != StatementKind::Let)
            continue;
        if (statement.broken) {
            named_.emplace(statement.name.text, NamedNumber{nullptr, State::Wrong});
            continue;
        }
        const StreamExprSyntax& root = stream.expressions[statement.expression];
        if (root.kind == Kind::Number || root.kind == Kind::Arithmetic)
            named_.emplace(statement.name.text, NamedNumber{&root});
        if (root.kind == Kind::Name)
            aliases.emplace(root.name.text, &statement);
    }
    addAliases(aliases);
}

/// Names of names of numbers.
void StreamNumbers::addAliases(
    const std::multimap<std::string, const StreamStatementSyntax*>& aliases) {
    std::vector<std::string> fresh;
    for (const auto& [name, number] : named_)
        fresh.push_back(name);
    while (!fresh.empty()) {
        const auto [begin, end] = aliases.equal_range(fresh.back());
        fresh.pop_back();
        for (auto alias = begin; alias != end; ++alias) {
            const StreamStatementSyntax& statement = *alias->second;
            const NamedNumber number{&stream_.expressions[statement.expression]};
            if (named_.emplace(statement.name.text, number).second)
                fresh.push_back(statement.name.text);
        }
    }
}

std::nullopt_t StreamNumbers::error(std::string code, std::string message, std::string hint,
                                    const SourceRange& range) {
    return reporter_.report(makeError(std::move(code), std::move(message), std::move(hint)), range);
}

StreamNumbers::MaybeNumber StreamNumbers::value(const StreamExprSyntax& expression) {
    switch (expression.kind) {
    case Kind::Number:
        return expression.number;
    case Kind::Name:
        return named(expression.name);
    case Kind::Arithmetic:
        return arithmetic(expression);
    default:
        return error("type-mismatch", "expected a number, but found a value", "", expression.range);
    }
}

StreamNumbers::MaybeNumber StreamNumbers::value(const LiteralSyntax& literal) {
    return literal.expression ? value(stream_.expressions[*literal.expression]) : literal.value;
}

bool StreamNumbers::areKnown(std::size_t root) {
    const LiteralSyntax& literal = stream_.literals[root];
    return std::ranges::all_of(literal.parts, [this](std::size_t k) { return areKnown(k); }) &&
           value(literal);
}

StreamNumbers::MaybeNumber StreamNumbers::named(const WordSyntax& name) {
    const auto found = named_.find(name.text);
    if (found == named_.end())
        return unknown(name);
    NamedNumber& number = found->second;
    if (number.state == State::Pending)
        return error("number-cycle", "the number '" + name.text + "' depends on itself",
                     "a number is made of others that do not need it", name.range);
    if (number.state == State::Unknown && depth_ >= kMaxDepth)
        return error("too-deep",
                     "numbers are made of each other more than " + std::to_string(kMaxDepth) +
                         " deep",
                     "name them in the order in which they need each other", name.range);
    if (number.state == State::Unknown) {
        number.state = State::Pending;
        ++depth_;
        const MaybeNumber computed = value(*number.expression);
        --depth_;
        number.state = computed ? State::Known : State::Wrong;
        number.value = computed.value_or(0);
    }
    return number.state == State::Known ? MaybeNumber(number.value) : std::nullopt;
}

StreamNumbers::MaybeNumber StreamNumbers::unknown(const WordSyntax& name) {
    const bool isValue =
        std::ranges::any_of(stream_.statements, [&](const StreamStatementSyntax& statement) {
            return statement.name.text == name.text;
        });
    if (isValue)
        return error("type-mismatch", "'" + name.text + "' is a value, not a number",
                     "numbers are named with let N = 16;", name.range);
    std::vector<std::string> known;
    for (const auto& [text, number] : named_)
        known.push_back(text);
    const std::string guess = didYouMean(name.text, known);
    return error("unknown-name", "there is no number '" + name.text + "'",
                 guess.empty() ? "name it with let " + name.text + " = …;" : guess, name.range);
}

StreamNumbers::MaybeNumber StreamNumbers::arithmetic(const StreamExprSyntax& expression) {
    constexpr int kMostNested = 5 * kMaxDepth; // names may be deep, and what each is made of
    if (nested_ >= kMostNested)
        return error("too-deep",
                     "numbers are made of each other more than " + std::to_string(kMostNested) +
                         " deep",
                     "name them in the order in which they need each other", expression.range);
    ++nested_;
    const MaybeNumber computed = sum(expression);
    --nested_;
    return computed;
}

StreamNumbers::MaybeNumber StreamNumbers::sum(const StreamExprSyntax& expression) {
    std::int64_t result = expression.operators[0] == '*' ? 1 : 0;
    for (std::size_t k = 0; k < expression.operands.size(); ++k) {
        const StreamExprSyntax& operand = stream_.expressions[expression.operands[k]];
        const bool isNumber = operand.kind == Kind::Number || operand.kind == Kind::Name ||
                              operand.kind == Kind::Arithmetic;
        // A first operand has no symbol of its own before it.
        const char symbol = expression.operators[k];
        const char written =
            k == 0 && expression.operators.size() > 1 ? expression.operators[1] : symbol;
        if (!isNumber)
            return error("type-mismatch",
                         std::string("'") + written + "' works on numbers, not on values",
                         forValues(written), operand.range);
        const MaybeNumber number = value(operand);
        const MaybeNumber next =
            number ? combined(result, symbol, *number, expression.range) : std::nullopt;
        if (!next)
            return std::nullopt;
        result = *next;
    }
    return result;
}

StreamNumbers::MaybeNumber StreamNumbers::combined(std::int64_t a, char symbol, std::int64_t b,
                                                   const SourceRange& range) {
    if (symbol == '/' && (b == 0 || (b != -1 && a % b != 0)))
        return error("bad-parameter",
                     std::to_string(a) + " / " + std::to_string(b) + " is not a whole number", "",
                     range);
    std::int64_t result = 0;
    const bool over = symbol == '+'   ? __builtin_add_overflow(a, b, &result)
                      : symbol == '-' ? __builtin_sub_overflow(a, b, &result)
                      : symbol == '*' ? __builtin_mul_overflow(a, b, &result)
                      : b == -1       ? __builtin_sub_overflow(std::int64_t{0}, a, &result)
                                      : (result = a / b, false);
    if (over)
        return error("number-too-large", "the number does not fit into 64 bits", "", range);
    return result;
}

std::optional<ir::StreamType> StreamNumbers::type(const StreamTypeSyntax& type) {
    auto found = typeOf(type);
    if (!found)
        return std::nullopt;
    if (const std::int64_t size = ir::words(*found); size > kMaxElements)
        return reporter_.report(tooLarge("the type has", size, kMaxElements, "elements"),
                                type.range);
    return found;
}

std::optional<ir::StreamType> StreamNumbers::typeOf(const StreamTypeSyntax& type) {
    if (type.kind == TypeKind::Scalar)
        return ir::scalarStream(type.scalar);
    if (type.kind == TypeKind::Fixed)
        return ir::fixedStream();
    if (type.kind != TypeKind::Pair)
        return sequenceType(type);
    auto first = typeOf(type.parts[0]);
    auto second = typeOf(type.parts[1]);
    if (!first || !second)
        return std::nullopt;
    return ir::pairOf(*std::move(first), *std::move(second));
}

std::optional<ir::StreamType> StreamNumbers::sequenceType(const StreamTypeSyntax& type) {
    const StreamExprSyntax& written = stream_.expressions[type.length];
    const MaybeNumber length = value(written);
    if (length && *length < 1)
        return error("bad-dimension", "a length is at least 1, not " + std::to_string(*length), "",
                     written.range);
    auto element = typeOf(type.parts[0]);
    if (!length || !element)
        return std::nullopt;
    return type.kind == TypeKind::Seq ? ir::seqOf(*length, *std::move(element))
                                      : ir::tupleOf(*length, *std::move(element));
}

} // namespace marquetry::frontend
