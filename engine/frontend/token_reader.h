// A cursor over tokens with one token of look-ahead, and the "expected …" diagnostics every
// grammar rule needs. A function that yields nothing has reported why.
//
// Errors (reported): syntax, reserved-name, number-too-large. Thread rule: one owner.
#pragma once

#include "engine/frontend/lexer.h"
#include "engine/frontend/syntax.h"

#include <initializer_list>
#include <optional>

namespace marquetry::frontend {

/// Whether an item of the language starts here: design, stream, memory.
bool startsItem(const Token& token);

class TokenReader {
public:
    TokenReader(std::string_view text, Reporter& reporter);

    const Token& current() const { return current_; }
    const Token& following() const { return following_; }
    /// The range of the token taken last.
    const SourceRange& lastRange() const { return lastRange_; }
    Reporter& reporter() { return reporter_; }

    Token take();
    bool atEnd() const { return current_.kind == TokenKind::End; }
    bool takeSymbol(std::string_view symbol);

    /// `what` continues "expected …", e.g. "';' after the statement".
    bool expectSymbol(std::string_view symbol, std::string_view what);
    std::optional<WordSyntax> expectName(std::string_view what);
    std::optional<Number> expectInt(std::string_view what);
    std::optional<std::uint64_t> expectUnsigned(std::string_view what);
    void reportExpected(std::string_view what, std::string hint = {});

    /// From the start of one range to the end of the token taken last.
    SourceRange rangeSince(const SourceRange& start) const;

private:
    Reporter& reporter_;
    Lexer lexer_;
    Token current_;
    Token following_;
    SourceRange lastRange_;
};

} // namespace marquetry::frontend
