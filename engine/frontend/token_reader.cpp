#include "engine/frontend/token_reader.h"

#include <limits>

namespace marquetry::frontend {

bool startsItem(const Token& token) {
    return token.isKeyword("design") || token.isKeyword("stream") || token.isKeyword("memory");
}

TokenReader::TokenReader(std::string_view text, Reporter& reporter)
    : reporter_(reporter), lexer_(text, reporter) {
    current_ = lexer_.next();
    following_ = lexer_.next();
}

Token TokenReader::take() {
    Token taken = std::move(current_);
    current_ = std::move(following_);
    following_ = lexer_.next();
    lastRange_ = taken.range;
    return taken;
}

bool TokenReader::takeSymbol(std::string_view symbol) {
    if (!current_.isSymbol(symbol))
        return false;
    take();
    return true;
}

bool TokenReader::expectSymbol(std::string_view symbol, std::string_view what) {
    if (takeSymbol(symbol))
        return true;
    reportExpected(what);
    return false;
}

std::optional<WordSyntax> TokenReader::expectName(std::string_view what) {
    if (current_.kind == TokenKind::Name) {
        const Token token = take();
        return WordSyntax{token.text, token.range};
    }
    if (current_.kind == TokenKind::Keyword)
        reporter_.report(makeError("reserved-name",
                                   "expected " + std::string(what) + ", but '" + current_.text +
                                       "' is a reserved word",
                                   "choose another name, e.g. '" + current_.text + "_'"),
                         current_.range);
    else
        reportExpected(what);
    return std::nullopt;
}

std::optional<std::uint64_t> TokenReader::expectUnsigned(std::string_view what) {
    if (current_.kind != TokenKind::Int) {
        reportExpected(what);
        return std::nullopt;
    }
    const Token token = take();
    // The lexer has already complained about a malformed number.
    return token.malformed ? std::nullopt : std::optional(token.value);
}

std::optional<Number> TokenReader::expectInt(std::string_view what) {
    const SourceRange start = current_.range;
    const bool negative = takeSymbol("-");
    const auto magnitude = expectUnsigned(what);
    if (!magnitude)
        return std::nullopt;
    constexpr auto kMax = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (*magnitude > kMax) {
        reporter_.report(makeError("number-too-large", "the number does not fit into 64 bits"),
                         rangeSince(start));
        return std::nullopt;
    }
    const auto value = static_cast<std::int64_t>(*magnitude);
    return Number{negative ? -value : value, rangeSince(start)};
}

void TokenReader::reportExpected(std::string_view what, std::string hint) {
    reporter_.report(
        makeError("syntax", "expected " + std::string(what) + ", but found " + describe(current_),
                  std::move(hint)),
        current_.range);
}

SourceRange TokenReader::rangeSince(const SourceRange& start) const {
    return {start.line, start.column, lastRange_.endLine, lastRange_.endColumn};
}

} // namespace marquetry::frontend
