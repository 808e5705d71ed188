#include "engine/frontend/stream_syntax_parser.h"

#include "engine/frontend/parser.h"
#include "engine/frontend/suggest.h"
#include "engine/support/limits.h"

namespace marquetry::frontend {

namespace {

using Kind = StreamExprSyntax::Kind;
using Index = std::optional<std::size_t>;

bool startsStreamStatement(const Token& token) {
    return token.isKeyword("input") || token.isKeyword("let") || token.isKeyword("output");
}

class StreamSyntaxParser {
public:
    explicit StreamSyntaxParser(TokenReader& reader) : reader_(reader) {}

    StreamSyntax parse() {
        reader_.take();
        const auto name = reader_.expectName("the name of the stream");
        stream_.name = name.value_or(WordSyntax{});
        stream_.broken = !name;
        if (!name && reader_.current().kind == TokenKind::Keyword)
            reader_.take();
        if (reader_.expectSymbol("{", "'{'")) {
            parseStatements();
        } else {
            stream_.broken = true;
            while (!reader_.atEnd() && !startsItem(reader_.current()))
                reader_.take();
        }
        return std::move(stream_);
    }

private:
    void parseStatements() {
        while (!reader_.takeSymbol("}")) {
            if (reader_.atEnd() || startsItem(reader_.current())) {
                reader_.reportExpected("'}' at the end of stream '" + stream_.name.text + "'");
                stream_.broken = true;
                return;
            }
            if (startsStreamStatement(reader_.current()))
                parseStatement();
            else
                rejectStatement();
        }
    }

    void rejectStatement() {
        stream_.broken = true;
        const bool weight = reader_.current().isKeyword("weight");
        reader_.reportExpected(
            "'input', 'let', 'output' or '}'",
            weight ? "a stream's constants are written const(… : type)"
                   : didYouMean(reader_.current().text, {"input", "let", "output"}));
        const bool named = weight || reader_.current().kind == TokenKind::Name;
        reader_.take();
        if (named && reader_.current().kind == TokenKind::Name) {
            StreamStatementSyntax statement;
            statement.name = {reader_.current().text, reader_.current().range};
            statement.broken = true;
            stream_.statements.push_back(std::move(statement));
        }
        recover();
    }

    void recover() {
        while (!reader_.atEnd() && !reader_.current().isSymbol("}") &&
               !startsStreamStatement(reader_.current()) && !startsItem(reader_.current())) {
            if (reader_.takeSymbol(";"))
                return;
            reader_.take();
        }
    }

    void parseStatement() {
        StreamStatementSyntax statement;
        const Token word = reader_.take();
        statement.kind = word.text == "input" ? StatementKind::Input
                         : word.text == "let" ? StatementKind::Let
                                              : StatementKind::Output;
        const bool parsed = parseBody(statement);
        statement.broken = !parsed;
        if (!parsed || !reader_.expectSymbol(";", "';' after the statement")) {
            stream_.broken = true;
            recover();
        }
        stream_.statements.push_back(std::move(statement));
    }

    bool parseBody(StreamStatementSyntax& statement) {
        const auto name = reader_.expectName("a name");
        if (!name)
            return false;
        statement.name = *name;
        if (statement.kind == StatementKind::Input)
            return reader_.expectSymbol(":", "':' and a type") && parseWholeType(statement.type);
        if (!reader_.expectSymbol("=", "'=' and an expression"))
            return false;
        const Index root = parseExpression(1);
        statement.expression = root.value_or(0);
        return root.has_value();
    }

    /// Limits the size: every product of lengths fits afterwards.
    bool parseWholeType(ir::StreamType& type) {
        const SourceRange start = reader_.current().range;
        if (!parseType(type, 1))
            return false;
        const std::int64_t size = ir::words(type);
        if (size <= kMaxElements)
            return true;
        reader_.reporter().report(tooLarge("the type has", size, kMaxElements, "elements"),
                                  reader_.rangeSince(start));
        return false;
    }

    bool tooDeep(int depth, const std::string& what) {
        if (depth <= kMaxDepth)
            return false;
        reader_.reporter().report(
            makeError("too-deep", what + " nest deeper than " + std::to_string(kMaxDepth)),
            reader_.current().range);
        return true;
    }

    bool parseType(ir::StreamType& type, int depth) {
        if (tooDeep(depth, "types"))
            return false;
        if (reader_.current().isKeyword("Seq") || reader_.current().isKeyword("STuple"))
            return parseSequenceType(type, depth);
        if (reader_.takeSymbol("("))
            return parsePairType(type, depth);
        const Token token = reader_.current();
        if (token.kind != TokenKind::Keyword && token.kind != TokenKind::Name) {
            reader_.reportExpected("a type", "e.g. Seq 16 u8");
            return false;
        }
        auto scalar = ir::scalarNamed(token.text);
        if (scalar && ir::isOddWidth(*scalar))
            scalar.reset();
        if (!scalar && token.text != "fix1_7") {
            const std::string guess = didYouMean(
                token.text, {"Seq", "STuple", "i8", "u8", "i16", "u16", "i32", "u32", "fix1_7"});
            reader_.reporter().report(
                makeError("unknown-type", "there is no type '" + token.text + "'",
                          guess.empty() ? "Seq n t, STuple n t, (t, t), fix1_7 or a scalar such as "
                                          "u8"
                                        : guess),
                token.range);
            return false;
        }
        reader_.take();
        type = scalar ? ir::scalarStream(*scalar) : ir::fixedStream();
        return true;
    }

    bool parseSequenceType(ir::StreamType& type, int depth) {
        const bool sequence = reader_.take().text == "Seq";
        const auto length = reader_.expectInt("a length");
        if (!length)
            return false;
        if (length->value < 1) {
            reader_.reporter().report(makeError("bad-dimension", "a length is at least 1, not " +
                                                                     std::to_string(length->value)),
                                      length->range);
            return false;
        }
        ir::StreamType element;
        if (!parseType(element, depth + 1))
            return false;
        type = sequence ? ir::seqOf(length->value, std::move(element))
                        : ir::tupleOf(length->value, std::move(element));
        return true;
    }

    bool parsePairType(ir::StreamType& type, int depth) {
        const SourceRange start = reader_.lastRange();
        ir::StreamType first;
        ir::StreamType second;
        if (!parseType(first, depth + 1) || !reader_.expectSymbol(",", "',' and the second type") ||
            !parseType(second, depth + 1) || !reader_.expectSymbol(")", "')'"))
            return false;
        if (!ir::isAtom(first) || !ir::isAtom(second)) {
            reader_.reporter().report(makeError("type-mismatch",
                                                "the parts of a pair are atoms, not sequences",
                                                "write a sequence of pairs"),
                                      reader_.rangeSince(start));
            return false;
        }
        type = ir::pairOf(std::move(first), std::move(second));
        return true;
    }

    std::size_t append(StreamExprSyntax expression, const SourceRange& start) {
        expression.range = reader_.rangeSince(start);
        stream_.expressions.push_back(std::move(expression));
        return stream_.expressions.size() - 1;
    }

    Index parseExpression(int depth) {
        if (tooDeep(depth, "expressions"))
            return std::nullopt;
        const Token& token = reader_.current();
        if (token.isKeyword("fn") || token.isKeyword("assoc"))
            return parseFunction(depth);
        if (token.kind == TokenKind::Int || token.isSymbol("-"))
            return parseNumber();
        if (token.is(TokenKind::Name, "const") && reader_.following().isSymbol("("))
            return parseConst();
        if (token.is(TokenKind::Name, "counter") && reader_.following().isSymbol("("))
            return parseCounter();
        return parseNameOrCall(depth);
    }

    Index parseNumber() {
        StreamExprSyntax expression;
        expression.kind = Kind::Number;
        const SourceRange start = reader_.current().range;
        const auto number = reader_.expectInt("a number");
        if (!number)
            return std::nullopt;
        expression.first = *number;
        return append(std::move(expression), start);
    }

    Index parseFunction(int depth) {
        StreamExprSyntax expression;
        expression.kind = Kind::Function;
        const SourceRange start = reader_.current().range;
        expression.associative = reader_.current().isKeyword("assoc");
        if (expression.associative) {
            reader_.take();
            if (!reader_.current().isKeyword("fn")) {
                reader_.reportExpected("'fn' after 'assoc'", "assoc fn a b -> …");
                return std::nullopt;
            }
        }
        reader_.take();
        do {
            const auto name = reader_.expectName("the name of a parameter");
            if (!name)
                return std::nullopt;
            expression.parameters.push_back(*name);
        } while (reader_.current().kind == TokenKind::Name);
        if (!reader_.expectSymbol("->", "'->' after the parameters"))
            return std::nullopt;
        const Index body = parseExpression(depth + 1);
        if (!body)
            return std::nullopt;
        expression.operands = {*body};
        return append(std::move(expression), start);
    }

    Index parseConst() {
        StreamExprSyntax expression;
        expression.kind = Kind::Const;
        const SourceRange start = reader_.take().range;
        reader_.take();
        const Index literal = parseLiteral(1);
        if (!literal || !reader_.expectSymbol(":", "':' and the type of the constant") ||
            !parseWholeType(expression.type) || !reader_.expectSymbol(")", "')'"))
            return std::nullopt;
        expression.literal = *literal;
        return append(std::move(expression), start);
    }

    Index parseLiteral(int depth) {
        if (tooDeep(depth, "constants"))
            return std::nullopt;
        LiteralSyntax literal;
        const SourceRange start = reader_.current().range;
        const bool list = reader_.current().isSymbol("[");
        if (list || reader_.current().isSymbol("(")) {
            reader_.take();
            literal.kind = list ? LiteralSyntax::Kind::List : LiteralSyntax::Kind::Pair;
            do {
                const Index part = parseLiteral(depth + 1);
                if (!part)
                    return std::nullopt;
                literal.parts.push_back(*part);
            } while (reader_.takeSymbol(","));
            if (!reader_.expectSymbol(list ? "]" : ")", list ? "',' or ']'" : "',' or ')'"))
                return std::nullopt;
        } else {
            const auto number = reader_.expectInt("a number, '[' or '('");
            if (!number)
                return std::nullopt;
            literal.value = number->value;
        }
        literal.range = reader_.rangeSince(start);
        stream_.literals.push_back(std::move(literal));
        return stream_.literals.size() - 1;
    }

    Index parseCounter() {
        StreamExprSyntax expression;
        expression.kind = Kind::Counter;
        const SourceRange start = reader_.take().range;
        reader_.take();
        const auto length = reader_.expectInt("the length of the counter");
        if (!length || !reader_.expectSymbol(",", "',' and the increment"))
            return std::nullopt;
        const auto increment = reader_.expectInt("the increment");
        if (!increment || !reader_.expectSymbol(":", "':' and a scalar"))
            return std::nullopt;
        if (!parseWholeType(expression.type) || !reader_.expectSymbol(")", "')'"))
            return std::nullopt;
        expression.first = *length;
        expression.second = *increment;
        return append(std::move(expression), start);
    }

    Index parseNameOrCall(int depth) {
        const auto name = reader_.expectName("a value, an operator or fn");
        if (!name)
            return std::nullopt;
        StreamExprSyntax expression;
        expression.name = *name;
        if (reader_.takeSymbol("(")) {
            expression.kind = Kind::Call;
            if (!reader_.takeSymbol(")")) {
                do {
                    const Index operand = parseExpression(depth + 1);
                    if (!operand)
                        return std::nullopt;
                    expression.operands.push_back(*operand);
                } while (reader_.takeSymbol(","));
                if (!reader_.expectSymbol(")", "',' or ')' in the call of '" + name->text + "'"))
                    return std::nullopt;
            }
        }
        return append(std::move(expression), name->range);
    }

    TokenReader& reader_;
    StreamSyntax stream_;
};

} // namespace

StreamSyntax parseStreamSyntax(TokenReader& reader) {
    return StreamSyntaxParser(reader).parse();
}

} // namespace marquetry::frontend
