#include "engine/frontend/stream_checker.h"

#include "engine/frontend/parser.h"
#include "engine/frontend/stream_literals.h"
#include "engine/frontend/suggest.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace marquetry::frontend {

namespace {

using ir::StreamNodeId;
using ir::StreamOp;
using Kind = StreamExprSyntax::Kind;

/// What an expression stands for; nothing when it is wrong and has been reported.
using Meaning = std::optional<StreamNodeId>;

/// The most applications inside each other, counted through named functions.
constexpr int kMaxElaborationDepth = 2 * kMaxDepth;

class StreamChecker {
public:
    StreamChecker(const StreamSyntax& stream, Reporter& reporter)
        : stream_(stream), reporter_(reporter) {}

    std::optional<ir::StreamProgram> check() {
        const int errorsBefore = reporter_.errorCount();
        ir::StreamProgram program{stream_.name.text, reporter_.file(), {}};
        for (const StreamStatementSyntax& statement : stream_.statements)
            checkStatement(statement, program.graph);
        const bool hasOutput =
            std::any_of(stream_.statements.begin(), stream_.statements.end(),
                        [](const auto& s) { return s.kind == StatementKind::Output; });
        if (!hasOutput && !stream_.broken)
            error("no-output", "stream '" + program.name + "' has no output",
                  "add output NAME = …;", stream_.name.range);
        if (stream_.broken || reporter_.errorCount() > errorsBefore)
            return std::nullopt;
        return program;
    }

private:
    /// Names of the values that an expression may use, and where its nodes go.
    struct Scope {
        ir::StreamGraph& graph;
        std::map<std::string, Meaning> values;
        const Scope* outer = nullptr; ///< of the expression that the function is written in
    };

    /// An operator, or an expression that is a function.
    struct Function {
        const ir::StreamOpInfo* op = nullptr;
        const StreamExprSyntax* expression = nullptr;
        std::string name;

        std::size_t arity() const {
            return op ? static_cast<std::size_t>(op->operands) : expression->parameters.size();
        }
    };

    std::nullopt_t error(std::string code, std::string message, std::string hint,
                         const SourceRange& range) {
        return reportAt({makeError(std::move(code), std::move(message), std::move(hint))}, range);
    }

    /// Once: a function that is used twice has its mistakes only once.
    std::nullopt_t reportAt(const Diagnostics& diagnostics, const SourceRange& range) {
        for (const Diagnostic& diagnostic : diagnostics) {
            if (reported_.emplace(range.line, range.column, diagnostic.message).second)
                reporter_.report(diagnostic, range);
        }
        return std::nullopt;
    }

    // --- statements

    void checkStatement(const StreamStatementSyntax& statement, ir::StreamGraph& graph) {
        const bool fresh = checkName(statement.name);
        const auto* root = statement.kind == StatementKind::Input || statement.broken
                               ? nullptr
                               : &stream_.expressions[statement.expression];
        if (root && root->kind == Kind::Function && statement.kind == StatementKind::Let) {
            if (fresh)
                functions_.emplace(statement.name.text, root);
            return;
        }
        Scope scope{graph, values_, nullptr};
        Meaning meaning;
        if (root)
            meaning = elaborate(*root, scope);
        else if (!statement.broken)
            meaning = append(graph, {StreamOp::Input, {}, statement.type}, statement.name.range);
        if (!fresh)
            return;
        values_.emplace(statement.name.text, meaning);
        if (!meaning)
            return;
        if (statement.kind == StatementKind::Input)
            graph.inputs.push_back(*meaning);
        if (statement.kind == StatementKind::Output)
            graph.outputs.push_back({statement.name.text, *meaning});
        if (graph.node(*meaning).name.empty())
            graph.nodes[meaning->index()].name = statement.name.text;
    }

    bool checkName(const Word& name) {
        if (name.text.empty() || !notAnOperator(name))
            return false;
        const auto first = places_.emplace(name.text, name.range);
        if (!first.second)
            error("duplicate-name", "'" + name.text + "' is defined twice",
                  "the first definition is in line " + std::to_string(first.first->second.line),
                  name.range);
        return first.second;
    }

    bool notAnOperator(const Word& name) {
        if (!ir::streamOpNamed(name.text) && name.text != "const" && name.text != "counter")
            return true;
        error("reserved-name", "'" + name.text + "' is an operator and cannot be redefined",
              "choose another name, e.g. '" + name.text + "_'", name.range);
        return false;
    }

    Meaning append(ir::StreamGraph& graph, ir::StreamNode node, const SourceRange& place) {
        if (++nodes_ > kMaxStreamNodes)
            return nodes_ > kMaxStreamNodes + 1
                       ? Meaning()
                       : error("too-large",
                               "the stream has more than " + std::to_string(kMaxStreamNodes) +
                                   " operators when its functions are written out",
                               "map a function over a sequence instead", place);
        node.place = place;
        graph.nodes.push_back(std::move(node));
        return StreamNodeId(graph.nodes.size() - 1);
    }

    // --- expressions

    Meaning elaborate(const StreamExprSyntax& expression, const Scope& scope) {
        if (nodes_ > kMaxStreamNodes)
            return std::nullopt;
        if (depth_ >= kMaxElaborationDepth)
            return error("too-deep", "functions are applied inside each other too deeply", "",
                         expression.range);
        ++depth_;
        const Meaning meaning = elaborateKind(expression, scope);
        --depth_;
        return meaning;
    }

    Meaning elaborateKind(const StreamExprSyntax& expression, const Scope& scope) {
        switch (expression.kind) {
        case Kind::Name:
            return lookUp(expression.name, scope);
        case Kind::Call:
            return call(expression, scope);
        case Kind::Const:
            return constant(expression, scope);
        case Kind::Counter:
            return counter(expression, scope);
        case Kind::Number:
            return error("type-mismatch", "the type of the number is unknown here",
                         "write const(" + std::to_string(expression.first.value) + " : u8)",
                         expression.range);
        default:
            return error("type-mismatch", "expected a value, but found a function",
                         "apply it with map, map2 or reduce, or name it with let",
                         expression.range);
        }
    }

    Meaning lookUp(const Word& name, const Scope& scope) {
        const auto value = scope.values.find(name.text);
        if (value != scope.values.end())
            return value->second;
        if (functions_.contains(name.text) || ir::streamOpNamed(name.text))
            return error("type-mismatch", "expected a value, but '" + name.text + "' is a function",
                         "apply it, or give it to map, map2 or reduce", name.range);
        for (const Scope* outer = scope.outer; outer; outer = outer->outer) {
            if (outer->values.contains(name.text))
                return error("not-closed", "'" + name.text + "' is defined outside of the function",
                             "functions see their own parameters only: hand it in with map2",
                             name.range);
        }
        std::vector<std::string> known;
        for (const auto& [text, meaning] : scope.values)
            known.push_back(text);
        return error("unknown-name", "there is no value '" + name.text + "'",
                     didYouMean(name.text, known), name.range);
    }

    Meaning constant(const StreamExprSyntax& expression, const Scope& scope) {
        auto literal = literalWords(stream_, expression.literal, expression.type);
        if (!literal)
            return reportAt(literal.error(), literal.error()[0].range);
        ir::StreamNode node{StreamOp::Const, {}, expression.type};
        node.literal = *std::move(literal);
        return append(scope.graph, std::move(node), expression.range);
    }

    Meaning counter(const StreamExprSyntax& expression, const Scope& scope) {
        const bool integer = expression.type.is(ir::StreamType::Kind::Scalar) &&
                             expression.type.scalar != ir::Scalar::Bit;
        if (!integer)
            return error("type-mismatch",
                         "a counter counts in an integer, not in " + toString(expression.type), "",
                         expression.range);
        const std::int64_t length = expression.first.value;
        if (length < 1 || length > ir::kMaxElements)
            return error("bad-parameter",
                         "a counter has 1 to 2^31 elements, not " + std::to_string(length), "",
                         expression.first.range);
        if (!fits(expression.second.value, expression.type))
            return error("number-too-large",
                         "the increment does not fit into " + toString(expression.type), "",
                         expression.second.range);
        ir::StreamNode node{StreamOp::Counter, {}, ir::seqOf(length, expression.type)};
        node.params = {length, expression.second.value};
        return append(scope.graph, std::move(node), expression.range);
    }

    Meaning call(const StreamExprSyntax& expression, const Scope& scope) {
        if (const ir::StreamOpInfo* op = ir::streamOpNamed(expression.name.text))
            return operatorCall(*op, expression, scope);
        const auto function = functions_.find(expression.name.text);
        if (function == functions_.end())
            return unknownOperator(expression, scope);
        std::vector<StreamNodeId> arguments;
        bool known = true;
        for (const std::size_t operand : expression.operands) {
            const Meaning argument = elaborate(stream_.expressions[operand], scope);
            known = known && argument;
            arguments.push_back(argument.value_or(StreamNodeId()));
        }
        if (!known)
            return std::nullopt;
        return apply({nullptr, function->second, expression.name.text}, arguments, scope,
                     expression.range);
    }

    Meaning unknownOperator(const StreamExprSyntax& expression, const Scope& scope) {
        const std::string& name = expression.name.text;
        if (scope.values.contains(name))
            return scope.values.at(name)
                       ? error("type-mismatch", "'" + name + "' is a value and cannot be applied",
                               "", expression.name.range)
                       : std::nullopt;
        std::vector<std::string> known = {"const", "counter"};
        for (const ir::StreamOpInfo& op : ir::streamOpTable())
            known.emplace_back(op.name);
        for (const auto& [text, function] : functions_)
            known.push_back(text);
        return error("unknown-operator", "there is no operator or function '" + name + "'",
                     didYouMean(name, known), expression.name.range);
    }

    Meaning operatorCall(const ir::StreamOpInfo& op, const StreamExprSyntax& expression,
                         const Scope& scope) {
        const auto functions = static_cast<std::size_t>(op.functionArity > 0 ? 1 : 0);
        const auto params = static_cast<std::size_t>(op.params);
        const auto wanted = params + functions + static_cast<std::size_t>(op.operands);
        const std::string name(op.name);
        if (expression.operands.size() != wanted)
            return error("operand-count",
                         "'" + name + "' takes " + std::to_string(wanted) + " arguments, not " +
                             std::to_string(expression.operands.size()),
                         usage(op), expression.range);
        ir::StreamNode node{op.op, {}, {}};
        for (std::size_t k = 0; k < params; ++k) {
            const StreamExprSyntax& argument = stream_.expressions[expression.operands[k]];
            if (argument.kind != Kind::Number)
                return error("bad-parameter", "'" + name + "' takes a number here", usage(op),
                             argument.range);
            node.params[k] = argument.first.value;
        }
        const std::span<const std::size_t> operands =
            std::span(expression.operands).subspan(params + functions);
        if (!elaborateOperands(op, operands, scope, node))
            return std::nullopt;
        if (functions == 0)
            return finish(std::move(node), nullptr, scope, expression.range);
        return higherOrder(std::move(node), stream_.expressions[expression.operands[0]], scope,
                           expression.range);
    }

    static std::string usage(const ir::StreamOpInfo& op) {
        std::vector<std::string> words;
        static const std::map<StreamOp, std::vector<std::string>> kParams = {
            {StreamOp::Shift, {"distance"}},
            {StreamOp::Up, {"length"}},
            {StreamOp::Select, {"index"}},
            {StreamOp::Partition, {"outer", "inner"}}};
        if (const auto params = kParams.find(op.op); params != kParams.end())
            words = params->second;
        if (op.functionArity > 0)
            words.emplace_back("f");
        static const std::vector<std::string> kOperands = {"x", "y", "z"};
        for (int k = 0; k < op.operands; ++k)
            words.push_back(kOperands[static_cast<std::size_t>(k)]);
        std::string text;
        for (const std::string& word : words)
            text += (text.empty() ? "" : ", ") + word;
        return std::string(op.name) + "(" + text + ")";
    }

    /// Operands with a type of their own first; they decide the types of the numbers.
    bool elaborateOperands(const ir::StreamOpInfo& op, std::span<const std::size_t> operands,
                           const Scope& scope, ir::StreamNode& node) {
        node.operands.assign(operands.size(), StreamNodeId());
        bool known = true;
        const ir::StreamType* decided = nullptr;
        for (std::size_t k = 0; k < operands.size(); ++k) {
            const StreamExprSyntax& operand = stream_.expressions[operands[k]];
            if (operand.kind == Kind::Number && ir::takesLiteral(op.op, k))
                continue;
            const Meaning meaning = elaborate(operand, scope);
            known = known && meaning;
            node.operands[k] = meaning.value_or(StreamNodeId());
        }
        for (std::size_t k = 0; known && k < operands.size() && !decided; ++k) {
            if (node.operands[k].valid() && !ir::literalType(op.op, k))
                decided = &scope.graph.node(node.operands[k]).type;
        }
        const std::optional<ir::StreamType> type = decided ? std::optional(*decided) : std::nullopt;
        for (std::size_t k = 0; known && k < operands.size(); ++k) {
            if (node.operands[k].valid())
                continue;
            const ir::StreamType* own = ir::literalType(op.op, k);
            const StreamExprSyntax& number = stream_.expressions[operands[k]];
            const Meaning meaning = own || type ? numberOf(number, own ? *own : *type, scope)
                                                : elaborate(number, scope);
            known = known && meaning;
            node.operands[k] = meaning.value_or(StreamNodeId());
        }
        return known;
    }

    Meaning numberOf(const StreamExprSyntax& number, const ir::StreamType& type,
                     const Scope& scope) {
        if (!type.is(ir::StreamType::Kind::Scalar) && !type.is(ir::StreamType::Kind::Fixed))
            return error("type-mismatch",
                         "expected " + toString(type) + ", but found the number " +
                             std::to_string(number.first.value),
                         type.is(ir::StreamType::Kind::Seq)
                             ? "apply the operator to every element with map"
                             : "",
                         number.range);
        if (!fits(number.first.value, type))
            return error("number-too-large",
                         std::to_string(number.first.value) + " does not fit into " +
                             toString(type),
                         "", number.range);
        ir::StreamNode node{StreamOp::Const, {}, type};
        node.literal = {number.first.value};
        return append(scope.graph, std::move(node), number.range);
    }

    Meaning finish(ir::StreamNode node, const ir::StreamType* body, const Scope& scope,
                   const SourceRange& range) {
        std::vector<ir::StreamType> types;
        for (const StreamNodeId operand : node.operands)
            types.push_back(scope.graph.node(operand).type);
        auto type = ir::info(node.op).type(types, node.params, body);
        if (!type)
            return reportAt(type.error(), range);
        if (sizeAsDouble(*type) > static_cast<double>(ir::kMaxElements))
            return error("too-large", "the value has more than 2^31 elements", "", range);
        node.type = *std::move(type);
        return append(scope.graph, std::move(node), range);
    }

    static double sizeAsDouble(const ir::StreamType& type) {
        return ir::isAtom(type) ? static_cast<double>(ir::words(type))
                                : static_cast<double>(type.length) * sizeAsDouble(type.element());
    }

    // --- functions

    std::optional<Function> function(const StreamExprSyntax& expression, const Scope& scope) {
        if (expression.kind == Kind::Function)
            return Function{nullptr, &expression, "the function"};
        if (expression.kind == Kind::Name) {
            const std::string& name = expression.name.text;
            if (const auto* op = ir::streamOpNamed(name)) {
                if (op->params == 0 && op->functionArity == 0)
                    return Function{op, nullptr, name};
                return error("type-mismatch", "'" + name + "' needs more than values to work on",
                             "write fn x -> " + usage(*op), expression.range);
            }
            if (const auto named = functions_.find(name); named != functions_.end())
                return Function{nullptr, named->second, name};
            if (!lookUp(expression.name, scope))
                return std::nullopt;
        }
        return error("type-mismatch", "expected a function here", "e.g. fn v -> add(v, 1), or add",
                     expression.range);
    }

    Meaning higherOrder(ir::StreamNode node, const StreamExprSyntax& syntax, const Scope& scope,
                        const SourceRange& range) {
        const auto applied = function(syntax, scope);
        if (!applied)
            return std::nullopt;
        const ir::StreamOpInfo& op = ir::info(node.op);
        if (applied->arity() != static_cast<std::size_t>(op.functionArity))
            return error("operand-count",
                         "'" + std::string(op.name) + "' calls its function with " +
                             std::to_string(op.functionArity) + " arguments, but " + applied->name +
                             " takes " + std::to_string(applied->arity()),
                         "", syntax.range);
        if (node.op == StreamOp::Reduce && !associative(*applied))
            return error("not-associative",
                         "reduce needs an associative function: the order of the elements "
                         "is not kept",
                         "use add, mul, and, or, min or max, or promise it with assoc fn",
                         syntax.range);
        // The operands themselves first: their mistakes are reported without the function.
        std::vector<ir::StreamType> types;
        for (const StreamNodeId operand : node.operands)
            types.push_back(scope.graph.node(operand).type);
        if (const auto fitting = op.type(types, node.params, nullptr); !fitting)
            return reportAt(fitting.error(), range);
        for (ir::StreamType& type : types)
            type = ir::StreamType(type.element());
        if (node.op == StreamOp::Reduce)
            types.push_back(types[0]);
        const auto body = functionGraph(*applied, types, scope, syntax.range);
        if (!body)
            return std::nullopt;
        node.function = body;
        const ir::StreamType result = body->node(body->outputs[0].node).type;
        return finish(std::move(node), &result, scope, range);
    }

    static bool associative(const Function& function) {
        return function.op ? function.op->associative : function.expression->associative;
    }

    std::shared_ptr<const ir::StreamGraph> functionGraph(const Function& applied,
                                                         const std::vector<ir::StreamType>& types,
                                                         const Scope& scope,
                                                         const SourceRange& range) {
        auto graph = std::make_shared<ir::StreamGraph>();
        std::vector<StreamNodeId> arguments;
        for (const ir::StreamType& type : types) {
            const Meaning input = append(*graph, {StreamOp::Input, {}, type}, range);
            if (!input)
                return nullptr;
            arguments.push_back(*input);
        }
        graph->inputs = arguments;
        const Scope inner{*graph, {}, &scope};
        const Meaning result = apply(applied, arguments, inner, range);
        if (!result)
            return nullptr;
        graph->outputs.push_back({"", *result});
        return graph;
    }

    /// Writes the function's nodes into the graph of `scope`, whose nodes the arguments are.
    Meaning apply(const Function& applied, const std::vector<StreamNodeId>& arguments,
                  const Scope& scope, const SourceRange& range) {
        if (applied.op) {
            ir::StreamNode node{applied.op->op, {}, {}};
            node.operands = arguments;
            return finish(std::move(node), nullptr, scope, range);
        }
        const StreamExprSyntax& expression = *applied.expression;
        if (arguments.size() != expression.parameters.size())
            return error("operand-count",
                         "'" + applied.name + "' takes " +
                             std::to_string(expression.parameters.size()) + " arguments, not " +
                             std::to_string(arguments.size()),
                         "", range);
        Scope inner{scope.graph, {}, &scope};
        for (std::size_t k = 0; k < arguments.size(); ++k) {
            const Word& name = expression.parameters[k];
            if (!notAnOperator(name))
                return std::nullopt;
            if (!inner.values.emplace(name.text, arguments[k]).second)
                return error("duplicate-name",
                             "the function has two parameters '" + name.text + "'", "", name.range);
            ir::StreamNode& node = scope.graph.nodes[arguments[k].index()];
            if (node.op == StreamOp::Input && node.name.empty())
                node.name = name.text;
        }
        return elaborate(stream_.expressions[expression.operands[0]], inner);
    }

    const StreamSyntax& stream_;
    Reporter& reporter_;
    std::map<std::string, Meaning> values_;
    std::map<std::string, const StreamExprSyntax*> functions_;
    std::map<std::string, SourceRange> places_;
    std::set<std::tuple<int, int, std::string>> reported_;
    std::size_t nodes_ = 0;
    int depth_ = 0;
};

} // namespace

std::optional<ir::StreamProgram> checkStream(const StreamSyntax& stream, Reporter& reporter) {
    return StreamChecker(stream, reporter).check();
}

} // namespace marquetry::frontend
