// Tokens of .mq files, made on demand.
//
// Places count lines and columns from 1, columns in UTF-8 code points. Words that structure items
// and the scalars are keywords; everything else that looks like a name is a name.
//
// Errors (reported through the Reporter): invalid-utf8 (ends the file there), invalid-character,
// number-too-large, unterminated-string. Complexity: linear in the text. Thread rule: one owner.
#pragma once

#include "engine/frontend/reporter.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace marquetry::frontend {

enum class TokenKind : std::uint8_t { Name, Keyword, Int, String, Symbol, End };

struct Token {
    TokenKind kind = TokenKind::End;
    std::string text;        ///< as written; the contents of a string
    std::uint64_t value = 0; ///< Int
    bool malformed = false;  ///< reported already: its meaning is unknown
    SourceRange range;

    bool is(TokenKind k, std::string_view t) const { return kind == k && text == t; }
    bool isSymbol(std::string_view t) const { return is(TokenKind::Symbol, t); }
    bool isKeyword(std::string_view t) const { return is(TokenKind::Keyword, t); }
};

/// "'name'", "the number 12", "the end of the file".
std::string describe(const Token& token);

bool isReserved(std::string_view word);

class Lexer {
public:
    Lexer(std::string_view text, Reporter& reporter);

    /// The next token; End for ever once the text is used up.
    Token next();

private:
    void skipSpace();
    void advance();
    bool atEnd() const { return position_ >= text_.size(); }
    char peek(std::size_t ahead = 0) const;
    SourceRange rangeFrom(const SourceRange& start) const;
    Token lexWord(Token token);
    Token lexNumber(Token token);
    Token lexString(Token token);
    Token lexSymbol(Token token);
    void rejectCharacter();

    std::string_view text_;
    Reporter& reporter_;
    std::size_t position_ = 0;
    int line_ = 1;
    int column_ = 1;
};

} // namespace marquetry::frontend
