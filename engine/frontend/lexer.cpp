#include "engine/frontend/lexer.h"

#include "engine/ir/type.h"

#include <algorithm>
#include <array>
#include <optional>

namespace marquetry::frontend {

namespace {

constexpr std::array<std::string_view, 18> kStructureWords = {
    "design", "stream", "memory", "input", "weight", "let",    "output", "array", "for",
    "in",     "step",   "par",    "ports", "bank",   "copies", "read",   "write", "fn"};
constexpr std::array<std::string_view, 3> kTypeWords = {"assoc", "Seq", "STuple"};

bool isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

bool isContinuation(char c) {
    return (static_cast<unsigned char>(c) & 0xc0) == 0x80;
}

/// Length of the well-formed UTF-8 sequence at the start of `text`; 0 when there is none. Rejects
/// overlong forms, surrogates and code points above U+10FFFF.
std::size_t sequenceLength(std::string_view text) {
    const auto at = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
    const unsigned char lead = at(0);
    if (lead < 0x80)
        return 1;
    const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc2 || lead > 0xf4 || text.size() < length)
        return 0;
    for (std::size_t k = 1; k < length; ++k) {
        if (!isContinuation(text[k]))
            return 0;
    }
    const bool overlong = (lead == 0xe0 && at(1) < 0xa0) || (lead == 0xf0 && at(1) < 0x90);
    const bool surrogate = lead == 0xed && at(1) > 0x9f;
    const bool tooHigh = lead == 0xf4 && at(1) > 0x8f;
    return overlong || surrogate || tooHigh ? 0 : length;
}

/// Bytes before the first ill-formed sequence.
std::size_t validPrefix(std::string_view text) {
    std::size_t position = 0;
    while (position < text.size()) {
        const std::size_t length = sequenceLength(text.substr(position));
        if (length == 0)
            break;
        position += length;
    }
    return position;
}

int digitValue(char c) {
    if (isDigit(c))
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return 16;
}

std::optional<std::uint64_t> parseDigits(std::string_view digits, std::uint64_t base) {
    std::uint64_t value = 0;
    for (const char c : digits) {
        if (__builtin_mul_overflow(value, base, &value) ||
            __builtin_add_overflow(value, static_cast<std::uint64_t>(digitValue(c)), &value))
            return std::nullopt;
    }
    return value;
}

SourceRange pointAfter(std::string_view text) {
    SourceRange place{1, 1, 1, 2};
    for (const char c : text) {
        if (c == '\n') {
            ++place.line;
            place.column = 1;
        } else if (!isContinuation(c)) {
            ++place.column;
        }
    }
    place.endLine = place.line;
    place.endColumn = place.column + 1;
    return place;
}

} // namespace

std::string describe(const Token& token) {
    constexpr std::size_t kLongest = 40;
    const std::string text =
        token.text.size() > kLongest ? token.text.substr(0, kLongest) + "…" : token.text;
    switch (token.kind) {
    case TokenKind::Int:
        return "the number " + text;
    case TokenKind::String:
        return "a string";
    case TokenKind::End:
        return "the end of the file";
    default:
        return "'" + text + "'";
    }
}

/// "i4" is a good name of an iterator, and tells itself from a type by its place.
bool isReservedScalar(std::string_view word) {
    const auto scalar = ir::scalarNamed(word);
    return scalar && !ir::isOddWidth(*scalar);
}

bool isReserved(std::string_view word) {
    return std::find(kStructureWords.begin(), kStructureWords.end(), word) !=
               kStructureWords.end() ||
           std::find(kTypeWords.begin(), kTypeWords.end(), word) != kTypeWords.end() ||
           isReservedScalar(word);
}

Lexer::Lexer(std::string_view text, Reporter& reporter) : text_(text), reporter_(reporter) {
    const std::size_t valid = validPrefix(text);
    if (valid < text.size()) {
        reporter_.report(makeError("invalid-utf8", "the file is not UTF-8 text from here on",
                                   "is this a .mq file?"),
                         pointAfter(text.substr(0, valid)));
        text_ = text.substr(0, valid);
    }
    constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
    if (text_.starts_with(kByteOrderMark))
        position_ = kByteOrderMark.size();
}

char Lexer::peek(std::size_t ahead) const {
    return position_ + ahead < text_.size() ? text_[position_ + ahead] : '\0';
}

void Lexer::advance() {
    const char c = text_[position_++];
    if (c == '\n') {
        ++line_;
        column_ = 1;
    } else if (!isContinuation(c)) {
        ++column_;
    }
}

SourceRange Lexer::rangeFrom(const SourceRange& start) const {
    return {start.line, start.column, line_, column_};
}

void Lexer::skipSpace() {
    while (!atEnd()) {
        const char c = peek();
        if (c == '/' && peek(1) == '/') {
            while (!atEnd() && peek() != '\n')
                advance();
        } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
            advance();
        } else {
            return;
        }
    }
}

Token Lexer::next() {
    while (true) {
        skipSpace();
        Token token;
        token.range = {line_, column_, line_, column_};
        if (atEnd() || reporter_.full())
            return token;
        const char c = peek();
        if (isLetter(c))
            return lexWord(std::move(token));
        if (isDigit(c))
            return lexNumber(std::move(token));
        if (c == '"')
            return lexString(std::move(token));
        constexpr std::string_view kSymbols = "{}[]():;,=+-*/?.>";
        if (c != '\0' && kSymbols.find(c) != std::string_view::npos)
            return lexSymbol(std::move(token));
        rejectCharacter();
    }
}

Token Lexer::lexWord(Token token) {
    while (isLetter(peek()) || isDigit(peek())) {
        token.text += peek();
        advance();
    }
    token.kind = isReserved(token.text) ? TokenKind::Keyword : TokenKind::Name;
    token.range = rangeFrom(token.range);
    return token;
}

Token Lexer::lexNumber(Token token) {
    token.kind = TokenKind::Int;
    while (isLetter(peek()) || isDigit(peek())) {
        token.text += peek();
        advance();
    }
    token.range = rangeFrom(token.range);
    const bool hex = token.text.starts_with("0x") || token.text.starts_with("0X");
    const std::string_view digits = std::string_view(token.text).substr(hex ? 2 : 0);
    const int base = hex ? 16 : 10;
    token.malformed = true;
    if (digits.empty() ||
        std::any_of(digits.begin(), digits.end(), [&](char c) { return digitValue(c) >= base; })) {
        reporter_.report(makeError("syntax", "'" + token.text + "' is not a number",
                                   "names start with a letter or '_'; numbers are decimal or 0x…"),
                         token.range);
    } else if (const auto value = parseDigits(digits, static_cast<std::uint64_t>(base))) {
        token.value = *value;
        token.malformed = false;
    } else {
        reporter_.report(makeError("number-too-large", "the number does not fit into 64 bits"),
                         token.range);
    }
    return token;
}

Token Lexer::lexString(Token token) {
    token.kind = TokenKind::String;
    advance();
    while (!atEnd() && peek() != '"' && peek() != '\n') {
        if (peek() == '\\' && (peek(1) == '"' || peek(1) == '\\'))
            advance();
        token.text += peek();
        advance();
    }
    if (peek() == '"' && !atEnd())
        advance();
    else
        token.malformed = true;
    if (token.malformed)
        reporter_.report(makeError("unterminated-string", "the string does not end on its line",
                                   "close it with \""),
                         rangeFrom(token.range));
    token.range = rangeFrom(token.range);
    return token;
}

Token Lexer::lexSymbol(Token token) {
    token.kind = TokenKind::Symbol;
    const bool pair = (peek() == '.' && peek(1) == '.') || (peek() == '-' && peek(1) == '>');
    for (int k = 0; k < (pair ? 2 : 1); ++k) {
        token.text += peek();
        advance();
    }
    token.range = rangeFrom(token.range);
    return token;
}

void Lexer::rejectCharacter() {
    const SourceRange start{line_, column_, line_, column_};
    std::string character(1, peek());
    const auto byte = static_cast<unsigned char>(peek());
    advance();
    while (!atEnd() && isContinuation(peek())) {
        character += peek();
        advance();
    }
    // A comment of another language: its words would only be further mistakes.
    while (byte == '#' && !atEnd() && peek() != '\n')
        advance();
    const bool printable = byte >= 0x20 && byte != 0x7f;
    reporter_.report(makeError("invalid-character",
                               printable ? "the character '" + character + "' has no meaning here"
                                         : "the control character with code " +
                                               std::to_string(byte) + " has no meaning here",
                               byte == '#' ? "comments start with //" : ""),
                     rangeFrom(start));
}

} // namespace marquetry::frontend
