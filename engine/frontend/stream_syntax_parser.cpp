#include "engine/frontend/stream_syntax_parser.h"

#include "engine/frontend/parser.h"
#include "engine/frontend/suggest.h"
#include "engine/support/limits.h"

namespace marquetry::frontend {

namespace {

using Kind = StreamExprSyntax::Kind;
using TypeKind = ir::StreamType::Kind;
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
            return reader_.expectSymbol(":", "':' and a type") && parseType(statement.type, 1);
        if (!reader_.expectSymbol("=", "'=' and an expression"))
            return false;
        const Index root = parseExpression(1);
        statement.expression = root.value_or(0);
        return root.has_value();
    }

    bool tooDeep(int depth, const std::string& what) {
        if (depth <= kMaxDepth)
            return false;
        reader_.reporter().report(
            makeError("too-deep", what + " nest deeper than " + std::to_string(kMaxDepth)),
            reader_.current().range);
        return true;
    }

    bool parseType(StreamTypeSyntax& type, int depth) {
        if (tooDeep(depth, "types"))
            return false;
        const SourceRange start = reader_.current().range;
        if (!parseTypeKind(type, depth))
            return false;
        type.range = reader_.rangeSince(start);
        return true;
    }

    bool parseTypeKind(StreamTypeSyntax& type, int depth) {
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
        type.kind = scalar ? TypeKind::Scalar : TypeKind::Fixed;
        type.scalar = scalar.value_or(ir::Scalar::U8);
        return true;
    }

    bool parseSequenceType(StreamTypeSyntax& type, int depth) {
        type.kind = reader_.take().text == "Seq" ? TypeKind::Seq : TypeKind::STuple;
        const Index length = parseSum(Leaves::Numbers, "a length", depth);
        type.parts.resize(1);
        type.length = length.value_or(0);
        return length && parseType(type.parts[0], depth + 1);
    }

    /// After the opening parenthesis: a pair, or one type as it is.
    bool parsePairType(StreamTypeSyntax& type, int depth) {
        const SourceRange start = reader_.lastRange();
        StreamTypeSyntax first;
        if (!parseType(first, depth + 1))
            return false;
        if (reader_.takeSymbol(")")) {
            type = std::move(first);
            return true;
        }
        type.kind = TypeKind::Pair;
        type.parts.resize(2);
        type.parts[0] = std::move(first);
        if (!reader_.expectSymbol(",", "',' and the second type, or ')'") ||
            !parseType(type.parts[1], depth + 1) || !reader_.expectSymbol(")", "')'"))
            return false;
        const auto isAtom = [](const StreamTypeSyntax& part) {
            return part.kind != TypeKind::Seq && part.kind != TypeKind::STuple;
        };
        if (isAtom(type.parts[0]) && isAtom(type.parts[1]))
            return true;
        reader_.reporter().report(makeError("type-mismatch",
                                            "the parts of a pair are atoms, not sequences",
                                            "write a sequence of pairs"),
                                  reader_.rangeSince(start));
        return false;
    }

    std::size_t append(StreamExprSyntax expression, const SourceRange& start) {
        expression.range = reader_.rangeSince(start);
        stream_.expressions.push_back(std::move(expression));
        return stream_.expressions.size() - 1;
    }

    Index parseExpression(int depth) {
        if (reader_.current().isKeyword("fn") || reader_.current().isKeyword("assoc"))
            return tooDeep(depth, "expressions") ? std::nullopt : parseFunction(depth);
        return parseSum(Leaves::Any, "a value, an operator or fn", depth);
    }

    /// What an expression may be made of; in a type `n (a, b)` is not a call.
    enum class Leaves : std::uint8_t { Any, Numbers };

    /// The one operand, when there is no operator. `what` continues "expected …".
    Index parseSum(Leaves leaves, const std::string& what, int depth) {
        if (tooDeep(depth, "expressions"))
            return std::nullopt;
        StreamExprSyntax sum;
        sum.kind = Kind::Arithmetic;
        const SourceRange start = reader_.current().range;
        const bool negated =
            reader_.current().isSymbol("-") && reader_.following().kind != TokenKind::Int;
        sum.operators = negated ? "-" : "+";
        if (negated)
            reader_.take();
        while (true) {
            const Index term = parseProduct(leaves, what, depth);
            if (!term)
                return std::nullopt;
            sum.operands.push_back(*term);
            if (!reader_.current().isSymbol("+") && !reader_.current().isSymbol("-"))
                break;
            sum.operators += reader_.take().text;
        }
        return sum.operators == "+" ? sum.operands[0] : append(std::move(sum), start);
    }

    Index parseProduct(Leaves leaves, const std::string& what, int depth) {
        StreamExprSyntax product;
        product.kind = Kind::Arithmetic;
        product.operators = "*";
        const SourceRange start = reader_.current().range;
        while (true) {
            const Index factor = parseFactor(leaves, what, depth);
            if (!factor)
                return std::nullopt;
            product.operands.push_back(*factor);
            if (!reader_.current().isSymbol("*") && !reader_.current().isSymbol("/"))
                break;
            product.operators += reader_.take().text;
        }
        return product.operators == "*" ? product.operands[0] : append(std::move(product), start);
    }

    Index parseFactor(Leaves leaves, const std::string& what, int depth) {
        const Token& token = reader_.current();
        if (token.kind == TokenKind::Int || token.isSymbol("-"))
            return parseNumber(what);
        if (reader_.takeSymbol("(")) {
            const Index inner = parseSum(leaves, what, depth + 1);
            return inner && reader_.expectSymbol(")", "')'") ? inner : std::nullopt;
        }
        const bool applied = leaves == Leaves::Any && reader_.following().isSymbol("(");
        if (applied && token.is(TokenKind::Name, "const"))
            return parseConst();
        if (applied && token.is(TokenKind::Name, "counter"))
            return parseCounter();
        return parseNameOrCall(leaves, what, depth);
    }

    Index parseNumber(const std::string& what) {
        StreamExprSyntax expression;
        expression.kind = Kind::Number;
        const SourceRange start = reader_.current().range;
        const auto number = reader_.expectInt(what);
        if (!number)
            return std::nullopt;
        expression.number = number->value;
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
            !parseType(expression.type, 1) || !reader_.expectSymbol(")", "')'"))
            return std::nullopt;
        expression.literal = *literal;
        return append(std::move(expression), start);
    }

    /// After the opening parenthesis. No other call begins with a list, so that the name is free.
    Index parseTable(const SourceRange& start) {
        StreamExprSyntax expression;
        expression.kind = Kind::Table;
        const Index literal = parseLiteral(1);
        if (!literal || !reader_.expectSymbol(":", "':' and the type of a word of the table") ||
            !parseType(expression.type, 1) || !reader_.expectSymbol(")", "')'"))
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
            if (!parseLiteralNumber(literal, depth))
                return std::nullopt;
        }
        literal.range = reader_.rangeSince(start);
        stream_.literals.push_back(std::move(literal));
        return stream_.literals.size() - 1;
    }

    /// Most are numbers as they stand, and there may be very many.
    bool parseLiteralNumber(LiteralSyntax& literal, int depth) {
        const Index number = parseSum(Leaves::Numbers, "a number, '[' or '('", depth);
        if (!number)
            return false;
        if (stream_.expressions[*number].kind == Kind::Number) {
            literal.value = stream_.expressions[*number].number;
            stream_.expressions.pop_back();
        } else {
            literal.expression = number;
        }
        return true;
    }

    Index parseCounter() {
        StreamExprSyntax expression;
        expression.kind = Kind::Counter;
        const SourceRange start = reader_.take().range;
        reader_.take();
        const Index length = parseSum(Leaves::Numbers, "the length of the counter", 1);
        if (!length || !reader_.expectSymbol(",", "',' and the increment"))
            return std::nullopt;
        const Index increment = parseSum(Leaves::Numbers, "the increment", 1);
        if (!increment || !reader_.expectSymbol(":", "':' and a scalar"))
            return std::nullopt;
        if (!parseType(expression.type, 1) || !reader_.expectSymbol(")", "')'"))
            return std::nullopt;
        expression.operands = {*length, *increment};
        return append(std::move(expression), start);
    }

    Index parseNameOrCall(Leaves leaves, const std::string& what, int depth) {
        const auto name = reader_.expectName(what);
        if (!name)
            return std::nullopt;
        StreamExprSyntax expression;
        expression.name = *name;
        if (leaves == Leaves::Any && reader_.takeSymbol("(")) {
            if (name->text == "table" && reader_.current().isSymbol("["))
                return parseTable(name->range);
            expression.kind = Kind::Call;
            if (!parseArguments(expression, depth))
                return std::nullopt;
        }
        return append(std::move(expression), name->range);
    }

    /// After the opening parenthesis.
    bool parseArguments(StreamExprSyntax& call, int depth) {
        if (reader_.takeSymbol(")"))
            return true;
        do {
            if (!parseArgument(call, depth))
                return false;
        } while (reader_.takeSymbol(","));
        return reader_.expectSymbol(")", "',' or ')' in the call of '" + call.name.text + "'");
    }

    bool parseArgument(StreamExprSyntax& call, int depth) {
        std::optional<WordSyntax> name;
        if (reader_.current().kind == TokenKind::Name && reader_.following().isSymbol(":")) {
            name = WordSyntax{reader_.current().text, reader_.current().range};
            reader_.take();
            reader_.take();
        }
        const Index value = parseExpression(depth + 1);
        if (value && name)
            call.named.push_back({*name, *value});
        else if (value)
            call.operands.push_back(*value);
        return value.has_value();
    }

    TokenReader& reader_;
    StreamSyntax stream_;
};

} // namespace

StreamSyntax parseStreamSyntax(TokenReader& reader) {
    return StreamSyntaxParser(reader).parse();
}

} // namespace marquetry::frontend
