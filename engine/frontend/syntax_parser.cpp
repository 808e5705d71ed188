#include "engine/frontend/syntax_parser.h"

#include "engine/frontend/memory_syntax_parser.h"
#include "engine/frontend/parser.h"
#include "engine/frontend/stream_syntax_parser.h"
#include "engine/frontend/suggest.h"
#include "engine/frontend/token_reader.h"
#include "engine/support/limits.h"

namespace marquetry::frontend {

namespace {

bool startsStatement(const Token& token) {
    return token.isKeyword("input") || token.isKeyword("weight") || token.isKeyword("let") ||
           token.isKeyword("output");
}

StatementKind statementKind(const Token& token) {
    if (token.text == "input")
        return StatementKind::Input;
    if (token.text == "weight")
        return StatementKind::Weight;
    return token.text == "let" ? StatementKind::Let : StatementKind::Output;
}

class SyntaxParser {
public:
    SyntaxParser(std::string_view text, Reporter& reporter) : reader_(text, reporter) {}

    FileSyntaxTree parseFile() {
        while (!reader_.atEnd()) {
            if (reader_.current().isKeyword("design"))
                parseDesign();
            else if (reader_.current().isKeyword("stream"))
                parseStream();
            else if (reader_.current().isKeyword("memory"))
                parseMemory();
            else
                skipToItem();
        }
        return std::move(tree_);
    }

private:
    void skipToItem() {
        reader_.reportExpected("'design', 'stream' or 'memory'",
                               didYouMean(reader_.current().text, {"design", "stream", "memory"}));
        while (!reader_.atEnd() && !startsItem(reader_.current()))
            reader_.take();
    }

    void parseStream() {
        tree_.order.push_back(ItemKind::Stream);
        tree_.streams.push_back(parseStreamSyntax(reader_));
    }

    void parseMemory() {
        tree_.order.push_back(ItemKind::Memory);
        tree_.memories.push_back(parseMemorySyntax(reader_));
    }

    void parseDesign() {
        tree_.order.push_back(ItemKind::Design);
        reader_.take();
        design_ = {};
        const auto name = reader_.expectName("the name of the design");
        design_.name = name.value_or(WordSyntax{});
        design_.broken = !name;
        if (!name && reader_.current().kind == TokenKind::Keyword)
            reader_.take();
        if (reader_.expectSymbol("{", "'{'"))
            parseStatements();
        else
            abandonDesign();
        tree_.designs.push_back(std::move(design_));
    }

    /// The body of a design whose head is broken tells nothing reliable.
    void abandonDesign() {
        design_.broken = true;
        while (!reader_.atEnd() && !startsItem(reader_.current()))
            reader_.take();
    }

    void parseStatements() {
        while (!reader_.takeSymbol("}")) {
            if (reader_.atEnd() || startsItem(reader_.current())) {
                reader_.reportExpected("'}' at the end of design '" + design_.name.text + "'");
                design_.broken = true;
                return;
            }
            if (startsStatement(reader_.current())) {
                parseStatement();
                continue;
            }
            rejectStatement();
        }
    }

    void rejectStatement() {
        design_.broken = true;
        reader_.reportExpected(
            "'input', 'weight', 'let', 'output' or '}'",
            didYouMean(reader_.current().text, {"input", "weight", "let", "output"}));
        // "lett x = …": x is known, so that its uses are no further mistakes.
        const bool misspelt = reader_.current().kind == TokenKind::Name;
        reader_.take();
        if (misspelt && reader_.current().kind == TokenKind::Name) {
            StatementSyntax statement;
            statement.name = {reader_.current().text, reader_.current().range};
            statement.broken = true;
            design_.statements.push_back(std::move(statement));
        }
        recover();
    }

    void parseStatement() {
        StatementSyntax statement;
        statement.kind = statementKind(reader_.take());
        const std::size_t expressionsBefore = design_.expressions.size();
        const bool parsed = parseBody(statement);
        if (!parsed) {
            statement.broken = true;
            design_.expressions.resize(expressionsBefore);
            recover();
        } else if (!reader_.expectSymbol(";", "';' after the statement")) {
            design_.broken = true;
            recover();
        }
        design_.broken = design_.broken || statement.broken;
        design_.statements.push_back(std::move(statement));
    }

    /// Goes on after the next ';', or before what ends or starts something.
    void recover() {
        while (!reader_.atEnd() && !reader_.current().isSymbol("}") &&
               !startsStatement(reader_.current()) && !startsItem(reader_.current())) {
            if (reader_.takeSymbol(";"))
                return;
            reader_.take();
        }
    }

    bool parseBody(StatementSyntax& statement) {
        const auto name = reader_.expectName("a name");
        if (!name)
            return false;
        statement.name = *name;
        const bool declaration =
            statement.kind == StatementKind::Input || statement.kind == StatementKind::Weight;
        return declaration ? parseDeclaration(statement) : parseDefinition(statement);
    }

    bool parseDefinition(StatementSyntax& statement) {
        if (!reader_.expectSymbol("=", "'=' and an expression"))
            return false;
        const auto root = parseExpression(1);
        statement.expression = root.value_or(0);
        return root.has_value();
    }

    bool parseDeclaration(StatementSyntax& statement) {
        if (!reader_.expectSymbol(":", "':' and a type") || !parseType(statement.type))
            return false;
        if (!reader_.takeSymbol("="))
            return true;
        return parseSource(statement.source.emplace());
    }

    bool parseType(TypeSyntax& type) {
        const Token& token = reader_.current();
        if (token.kind != TokenKind::Keyword && token.kind != TokenKind::Name) {
            reader_.reportExpected("a type", "e.g. i8[32, 32, 3]");
            return false;
        }
        const Token scalar = reader_.take();
        type.scalar = {scalar.text, scalar.range};
        if (reader_.takeSymbol("[")) {
            const auto dims = parseList("a dimension");
            if (!dims)
                return false;
            type.dims = *dims;
        }
        type.range = reader_.rangeSince(scalar.range);
        return true;
    }

    /// The rest of "[a, b, c]" after the bracket.
    std::optional<std::vector<Number>> parseList(std::string_view what) {
        std::vector<Number> numbers;
        do {
            const auto number = reader_.expectInt(what);
            if (!number)
                return std::nullopt;
            numbers.push_back(*number);
        } while (reader_.takeSymbol(","));
        if (!reader_.expectSymbol("]", "',' or ']'"))
            return std::nullopt;
        return numbers;
    }

    bool parseSource(SourceSyntax& source) {
        const SourceRange start = reader_.current().range;
        const Token word = reader_.take();
        bool parsed = true;
        if (word.is(TokenKind::Name, "zeros")) {
            source.source = ZerosSyntax{};
        } else if (word.is(TokenKind::Name, "file")) {
            parsed = parseFileSource(source);
        } else if (word.is(TokenKind::Name, "random")) {
            parsed = parseRandomSource(source);
        } else {
            const std::string hint = didYouMean(word.text, {"random", "file", "zeros"});
            reader_.reporter().report(
                makeError("syntax", "expected a source, but found " + describe(word),
                          hint.empty() ? "random(seed: …), file(\"…\") or zeros" : hint),
                word.range);
            return false;
        }
        source.range = reader_.rangeSince(start);
        return parsed;
    }

    bool parseFileSource(SourceSyntax& source) {
        if (!reader_.expectSymbol("(", "'(' after 'file'"))
            return false;
        if (reader_.current().kind != TokenKind::String) {
            reader_.reportExpected("the file's name in quotes");
            return false;
        }
        const Token path = reader_.take();
        source.source = FileSyntax{path.text};
        return !path.malformed && reader_.expectSymbol(")", "')'");
    }

    bool expectLabel(std::string_view label) {
        const std::string what = "'" + std::string(label) + ":'";
        if (!reader_.current().is(TokenKind::Name, label)) {
            reader_.reportExpected(what, "random(seed: INT, lo: int, hi: int)");
            return false;
        }
        reader_.take();
        return reader_.expectSymbol(":", "':' after '" + std::string(label) + "'");
    }

    bool parseRandomSource(SourceSyntax& source) {
        RandomSyntax random;
        if (!reader_.expectSymbol("(", "'(' after 'random'") || !expectLabel("seed"))
            return false;
        const auto seed = reader_.expectUnsigned("a seed");
        if (!seed)
            return false;
        random.seed = *seed;
        if (reader_.takeSymbol(",")) {
            if (!expectLabel("lo") || !(random.lo = reader_.expectInt("the lowest value")) ||
                !reader_.expectSymbol(",", "',' and 'hi:'") || !expectLabel("hi") ||
                !(random.hi = reader_.expectInt("the highest value")))
                return false;
        }
        source.source = random;
        return reader_.expectSymbol(")", "',' or ')'");
    }

    /// Index of the root. Recursion is bounded by kMaxDepth.
    std::optional<std::size_t> parseExpression(int depth) {
        if (depth > kMaxDepth) {
            reader_.reporter().report(
                makeError("too-deep",
                          "expressions nest deeper than " + std::to_string(kMaxDepth) + " calls",
                          "name the inner expressions with let"),
                reader_.current().range);
            return std::nullopt;
        }
        const auto name = reader_.expectName("a value or an operator");
        if (!name)
            return std::nullopt;
        ExprSyntax expression;
        expression.name = *name;
        if (reader_.takeSymbol("(")) {
            expression.isCall = true;
            if (!parseArguments(expression, depth))
                return std::nullopt;
        }
        expression.range = reader_.rangeSince(name->range);
        design_.expressions.push_back(std::move(expression));
        return design_.expressions.size() - 1;
    }

    bool parseArguments(ExprSyntax& call, int depth) {
        if (reader_.takeSymbol(")"))
            return true;
        do {
            if (!parseArgument(call, depth))
                return false;
        } while (reader_.takeSymbol(","));
        return reader_.expectSymbol(")", "',' or ')' in the call of '" + call.name.text + "'");
    }

    bool parseArgument(ExprSyntax& call, int depth) {
        const Token& token = reader_.current();
        if (token.kind == TokenKind::Name && reader_.following().isSymbol(":"))
            return parseParameter(call);
        if (token.kind == TokenKind::Int || token.isSymbol("-") || token.isSymbol("[")) {
            reader_.reportExpected("a value or a named parameter",
                                   "numbers are given by name, as in pad: 1");
            return false;
        }
        const auto operand = parseExpression(depth + 1);
        if (operand)
            call.operands.push_back(*operand);
        return operand.has_value();
    }

    bool parseParameter(ExprSyntax& call) {
        ParamSyntax param;
        const Token name = reader_.take();
        param.name = {name.text, name.range};
        reader_.take();
        const SourceRange start = reader_.current().range;
        if (reader_.takeSymbol("[")) {
            auto list = parseList("a number");
            if (!list)
                return false;
            param.value = *std::move(list);
        } else if (reader_.current().kind == TokenKind::Name ||
                   reader_.current().kind == TokenKind::Keyword) {
            const Token word = reader_.take();
            param.value = WordSyntax{word.text, word.range};
        } else {
            const auto number = reader_.expectInt("a number, a list, a scalar or a name");
            if (!number)
                return false;
            param.value = *number;
        }
        param.valueRange = reader_.rangeSince(start);
        call.params.push_back(std::move(param));
        return true;
    }

    TokenReader reader_;
    FileSyntaxTree tree_;
    DesignSyntax design_;
};

} // namespace

FileSyntaxTree parseSyntax(std::string_view text, Reporter& reporter) {
    return SyntaxParser(text, reporter).parseFile();
}

} // namespace marquetry::frontend
