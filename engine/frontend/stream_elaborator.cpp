#include "engine/frontend/stream_elaborator.h"

#include "engine/frontend/parser.h"
#include "engine/frontend/stream_literals.h"
#include "engine/frontend/suggest.h"
#include "engine/support/limits.h"

#include <span>

namespace marquetry::frontend {

using ir::StreamNodeId;
using ir::StreamOp;
using Kind = StreamExprSyntax::Kind;

namespace {

/// The most applications inside each other, counted through named functions.
constexpr int kMaxElaborationDepth = 2 * kMaxDepth;

} // namespace

std::string usage(const ir::StreamOpInfo& op) {
    std::vector<std::string> words;
    static const std::map<StreamOp, std::vector<std::string>> kParams = {
        {StreamOp::Shift, {"distance"}},         {StreamOp::Up, {"length"}},
        {StreamOp::Select, {"index"}},           {StreamOp::Partition, {"outer", "inner"}},
        {StreamOp::Window, {"rows", "columns"}}, {StreamOp::Tap, {"row", "column"}}};
    if (const auto params = kParams.find(op.op); params != kParams.end())
        words = params->second;
    if (op.functionArity > 0)
        words.emplace_back("f");
    if (op.op == StreamOp::Scan)
        words.emplace_back("initial");
    static const std::vector<std::string> kOperands = {"x", "y", "z"};
    for (int k = 0; k < op.operands; ++k)
        words.push_back(kOperands[static_cast<std::size_t>(k)]);
    std::string text;
    for (const std::string& word : words)
        text += (text.empty() ? "" : ", ") + word;
    return std::string(op.name) + "(" + text + (op.op == StreamOp::Window ? ", border: zero" : "") +
           ")";
}

void StreamElaborator::defineFunction(const std::string& name, const StreamExprSyntax& function) {
    functions_.emplace(name, &function);
    if (function.kind == Kind::Table)
        tableOf(function);
}

std::nullopt_t StreamElaborator::error(std::string code, std::string message, std::string hint,
                                       const SourceRange& range) {
    return reporter_.report(makeError(std::move(code), std::move(message), std::move(hint)), range);
}

std::nullopt_t StreamElaborator::reportAt(const Diagnostics& diagnostics,
                                          const SourceRange& range) {
    for (const Diagnostic& diagnostic : diagnostics)
        reporter_.report(diagnostic, range);
    return std::nullopt;
}

bool StreamElaborator::notAnOperator(const WordSyntax& name) {
    const ir::StreamOpInfo* op = ir::streamOpNamed(name.text);
    const bool isFree =
        op ? ir::mayBeRedefined(op->op) : name.text != "const" && name.text != "counter";
    if (isFree)
        return true;
    error("reserved-name", "'" + name.text + "' is an operator and cannot be redefined",
          "choose another name, e.g. '" + name.text + "_'", name.range);
    return false;
}

StreamElaborator::Meaning StreamElaborator::append(ir::StreamGraph& graph, ir::StreamNode node,
                                                   const SourceRange& place) {
    if (++nodes_ > kMaxStreamNodes)
        return nodes_ > kMaxStreamNodes + 1
                   ? Meaning()
                   : reportAt({tooLarge("with its functions written out the stream has", nodes_,
                                        kMaxStreamNodes, "operators",
                                        "map a function over a sequence instead")},
                              place);
    node.place = place;
    graph.nodes.push_back(std::move(node));
    return StreamNodeId(graph.nodes.size() - 1);
}

StreamElaborator::Meaning StreamElaborator::elaborate(const StreamExprSyntax& expression,
                                                      const Scope& scope) {
    if (nodes_ > kMaxStreamNodes)
        return std::nullopt;
    if (depth_ >= kMaxElaborationDepth) {
        nodes_ = kMaxStreamNodes + 1; // nothing else is looked at: it could take for ever
        return error("too-deep", "functions are applied inside each other too deeply", "",
                     expression.range);
    }
    ++depth_;
    const Meaning meaning = elaborateKind(expression, scope);
    --depth_;
    return meaning;
}

StreamElaborator::Meaning StreamElaborator::elaborateKind(const StreamExprSyntax& expression,
                                                          const Scope& scope) {
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
    case Kind::Arithmetic:
        return untypedNumber(expression, scope);
    default:
        return error("type-mismatch", "expected a value, but found a function",
                     "apply it with map, map2 or reduce, or name it with let", expression.range);
    }
}

StreamElaborator::Meaning StreamElaborator::untypedNumber(const StreamExprSyntax& expression,
                                                          const Scope& scope) {
    const auto value = valueOf(expression, scope);
    if (!value)
        return std::nullopt;
    return error("type-mismatch", "the type of the number is unknown here",
                 "write const(" + std::to_string(*value) + " : u8)", expression.range);
}

StreamElaborator::Meaning StreamElaborator::lookUp(const WordSyntax& name, const Scope& scope) {
    const auto value = scope.values.find(name.text);
    if (value != scope.values.end())
        return value->second;
    if (isFunction(name.text, scope))
        return error("type-mismatch", "expected a value, but '" + name.text + "' is a function",
                     "apply it, or give it to map, map2 or reduce", name.range);
    for (const Scope* outer = scope.outer; outer; outer = outer->outer) {
        if (outer->values.contains(name.text))
            return error("not-closed", "'" + name.text + "' is defined outside of the function",
                         "functions see their own parameters only: hand it in with map2",
                         name.range);
    }
    if (numbers_.isNumber(name.text) && !numbers_.named(name))
        return std::nullopt;
    if (numbers_.isNumber(name.text))
        return error("type-mismatch", "the type of the number '" + name.text + "' is unknown here",
                     "write const(" + name.text + " : u8)", name.range);
    std::vector<std::string> known;
    for (const auto& [text, meaning] : scope.values)
        known.push_back(text);
    return error("unknown-name", "there is no value '" + name.text + "'",
                 didYouMean(name.text, known), name.range);
}

StreamElaborator::Meaning StreamElaborator::constant(const StreamExprSyntax& expression,
                                                     const Scope& scope) {
    const auto type = numbers_.type(expression.type);
    if (!numbers_.areKnown(expression.literal) || !type)
        return std::nullopt;
    auto literal = literalWords(stream_, numbers_, expression.literal, *type);
    if (!literal)
        return reportAt(literal.error(), literal.error()[0].range);
    ir::StreamNode node{StreamOp::Const, {}, *type};
    node.literal = *std::move(literal);
    return append(scope.graph, std::move(node), expression.range);
}

StreamElaborator::Meaning StreamElaborator::counter(const StreamExprSyntax& expression,
                                                    const Scope& scope) {
    const StreamExprSyntax& count = stream_.expressions[expression.operands[0]];
    const StreamExprSyntax& step = stream_.expressions[expression.operands[1]];
    const auto type = numbers_.type(expression.type);
    const auto length = numbers_.value(count);
    const auto increment = numbers_.value(step);
    if (!type || !length || !increment)
        return std::nullopt;
    if (!type->is(ir::StreamType::Kind::Scalar) || type->scalar == ir::Scalar::Bit)
        return error("type-mismatch", "a counter counts in an integer, not in " + toString(*type),
                     "", expression.range);
    if (*length < 1 || *length > kMaxElements)
        return error("bad-parameter",
                     "a counter has 1 to 2^31 elements, not " + std::to_string(*length), "",
                     count.range);
    if (!fits(*increment, *type))
        return error("number-too-large", "the increment does not fit into " + toString(*type), "",
                     step.range);
    ir::StreamNode node{StreamOp::Counter, {}, ir::seqOf(*length, *type)};
    node.params = {*length, *increment};
    return append(scope.graph, std::move(node), expression.range);
}

/// What the program has given the name to goes first, where it may have it.
const ir::StreamOpInfo* StreamElaborator::operatorNamed(const std::string& name,
                                                        const Scope& scope) const {
    const ir::StreamOpInfo* op = ir::streamOpNamed(name);
    if (op == nullptr || !ir::mayBeRedefined(op->op))
        return op;
    const bool isTaken = functions_.contains(name) || numbers_.isNumber(name) ||
                         isValue(name, scope) || givenFunction(name, scope);
    return isTaken ? nullptr : op;
}

StreamElaborator::Meaning StreamElaborator::call(const StreamExprSyntax& expression,
                                                 const Scope& scope) {
    if (const ir::StreamOpInfo* op = operatorNamed(expression.name.text, scope))
        return operatorCall(*op, expression, scope);
    if (!isFunction(expression.name.text, scope))
        return unknownOperator(expression, scope);
    if (!namesFit(false, expression))
        return std::nullopt;
    std::vector<Argument> arguments;
    bool known = true;
    for (const std::size_t operand : expression.operands) {
        const auto found = argument(stream_.expressions[operand], scope);
        known = known && found;
        arguments.push_back(found.value_or(Argument()));
    }
    const auto applied = functionNamed(expression.name, scope);
    if (!known || !applied)
        return std::nullopt;
    return apply(*applied, arguments, scope, expression.range);
}

std::optional<StreamElaborator::Argument>
StreamElaborator::argument(const StreamExprSyntax& expression, const Scope& scope) {
    const bool isGiven = expression.isFunction() ||
                         (expression.kind == Kind::Name && isFunction(expression.name.text, scope));
    if (isGiven) {
        auto given = function(expression, scope);
        return given ? std::optional(Argument{{}, *std::move(given)}) : std::nullopt;
    }
    const Meaning value = elaborate(expression, scope);
    return value ? std::optional(Argument{*value, std::nullopt}) : std::nullopt;
}

StreamElaborator::Meaning StreamElaborator::unknownOperator(const StreamExprSyntax& expression,
                                                            const Scope& scope) {
    const std::string& name = expression.name.text;
    if (scope.values.contains(name))
        return scope.values.at(name)
                   ? error("type-mismatch", "'" + name + "' is a value and cannot be applied", "",
                           expression.name.range)
                   : std::nullopt;
    std::vector<std::string> known = {"const", "counter"};
    for (const ir::StreamOpInfo& op : ir::streamOpTable())
        known.emplace_back(op.name);
    for (const auto& [text, function] : functions_)
        known.push_back(text);
    return error("unknown-operator", "there is no operator or function '" + name + "'",
                 didYouMean(name, known), expression.name.range);
}

StreamElaborator::Meaning StreamElaborator::operatorCall(const ir::StreamOpInfo& op,
                                                         const StreamExprSyntax& expression,
                                                         const Scope& scope) {
    const auto functions = static_cast<std::size_t>(op.functionArity > 0 ? 1 : 0);
    const auto params = static_cast<std::size_t>(op.params);
    const auto states = static_cast<std::size_t>(op.op == StreamOp::Scan ? 1 : 0);
    const auto before = params + functions + states;
    const auto wanted = before + static_cast<std::size_t>(op.operands);
    const std::string name(op.name);
    if (!namesFit(op.op == StreamOp::Window, expression))
        return std::nullopt;
    if (ir::takesMore(op.op) && expression.operands.size() > wanted)
        return longer(op, expression, scope);
    if (expression.operands.size() != wanted)
        return error("operand-count",
                     "'" + name + "' takes " + std::to_string(wanted) + " arguments, not " +
                         std::to_string(expression.operands.size()),
                     usage(op), expression.range);
    ir::StreamNode node{op.op, {}, {}};
    if (!readParams(op, expression, scope, node))
        return std::nullopt;
    const std::span<const std::size_t> operands = std::span(expression.operands).subspan(before);
    if (!elaborateOperands(op, operands, scope, node))
        return std::nullopt;
    if (states > 0 && !readState(stream_.expressions[expression.operands[1]], scope, node))
        return std::nullopt;
    if (op.op == StreamOp::Window)
        return window(node, expression, scope);
    if (functions == 0)
        return finish(std::move(node), nullptr, scope, expression.range);
    return higherOrder(std::move(node), stream_.expressions[expression.operands[0]], scope,
                       expression.range);
}

bool StreamElaborator::readParams(const ir::StreamOpInfo& op, const StreamExprSyntax& call,
                                  const Scope& scope, ir::StreamNode& node) {
    bool known = true;
    for (std::size_t k = 0; k < static_cast<std::size_t>(op.params); ++k) {
        const StreamExprSyntax& argument = stream_.expressions[call.operands[k]];
        const bool isParam = isNumber(argument, scope);
        const auto value = isParam ? valueOf(argument, scope) : std::nullopt;
        if (!isParam)
            error("bad-parameter", "'" + std::string(op.name) + "' takes a number here", usage(op),
                  argument.range);
        known = known && value;
        node.params[k] = value.value_or(0);
    }
    return known;
}

/// Operands with a type of their own first; they decide the types of the numbers.
bool StreamElaborator::elaborateOperands(const ir::StreamOpInfo& op,
                                         std::span<const std::size_t> operands, const Scope& scope,
                                         ir::StreamNode& node) {
    node.operands.assign(operands.size(), StreamNodeId());
    bool known = true;
    const ir::StreamType* decided = nullptr;
    for (std::size_t k = 0; k < operands.size(); ++k) {
        const StreamExprSyntax& operand = stream_.expressions[operands[k]];
        if (isNumber(operand, scope) && ir::takesLiteral(op.op, k))
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
        own = own || type ? own : ir::literalTypeAlone(op.op);
        const StreamExprSyntax& number = stream_.expressions[operands[k]];
        const Meaning meaning =
            own || type ? numberOf(number, own ? *own : *type, scope) : elaborate(number, scope);
        known = known && meaning;
        node.operands[k] = meaning.value_or(StreamNodeId());
    }
    return known;
}

/// Where it is written, not where it is applied.
bool StreamElaborator::isValue(const std::string& name, const Scope& scope) {
    for (const Scope* place = &scope; place; place = place->written) {
        if (place->values.contains(name))
            return true;
    }
    return false;
}

bool StreamElaborator::isNumber(const StreamExprSyntax& expression, const Scope& scope) const {
    if (expression.kind == Kind::Name)
        return numbers_.isNumber(expression.name.text) && !isValue(expression.name.text, scope);
    return expression.kind == Kind::Number || expression.kind == Kind::Arithmetic;
}

std::optional<std::int64_t> StreamElaborator::valueOf(const StreamExprSyntax& number,
                                                      const Scope& scope) {
    for (const std::size_t part : number.operands) {
        const StreamExprSyntax& operand = stream_.expressions[part];
        if (operand.kind == Kind::Name && isValue(operand.name.text, scope))
            return error("type-mismatch",
                         "'" + operand.name.text + "' is a value: + - * / work on numbers only",
                         "write add(a, b), sub(a, b) or mul(a, b) for values", operand.range);
        if (operand.kind == Kind::Arithmetic && !valueOf(operand, scope))
            return std::nullopt;
    }
    return numbers_.value(number);
}

StreamElaborator::Meaning StreamElaborator::numberOf(const StreamExprSyntax& number,
                                                     const ir::StreamType& type,
                                                     const Scope& scope) {
    const auto value = valueOf(number, scope);
    if (!value)
        return std::nullopt;
    if (!type.is(ir::StreamType::Kind::Scalar) && !type.is(ir::StreamType::Kind::Fixed))
        return error(
            "type-mismatch",
            "expected " + toString(type) + ", but found the number " + std::to_string(*value),
            type.is(ir::StreamType::Kind::Seq) ? "apply the operator to every element with map"
                                               : "",
            number.range);
    if (!fits(*value, type))
        return error("number-too-large",
                     std::to_string(*value) + " does not fit into " + toString(type), "",
                     number.range);
    ir::StreamNode node{StreamOp::Const, {}, type};
    node.literal = {*value};
    return append(scope.graph, std::move(node), number.range);
}

std::vector<ir::StreamType> StreamElaborator::operandTypes(const ir::StreamNode& node,
                                                           const Scope& scope) {
    std::vector<ir::StreamType> types;
    for (const StreamNodeId operand : node.operands)
        types.push_back(scope.graph.node(operand).type);
    return types;
}

std::optional<ir::StreamType> StreamElaborator::typeOf(const ir::StreamNode& node,
                                                       const ir::StreamType* body,
                                                       const Scope& scope,
                                                       const SourceRange& range) {
    const std::vector<ir::StreamType> types = operandTypes(node, scope);
    auto type = ir::info(node.op).type(types, node.params, body);
    if (!type)
        return reportAt(type.error(), range);
    if (const std::int64_t size = ir::words(*type); size > kMaxElements)
        return reportAt({tooLarge("the value has", size, kMaxElements, "elements")}, range);
    if (const std::int64_t parts = ir::words(ir::atomOf(*type)); parts > kMaxAtomWords)
        return reportAt({tooLarge("the pair has", parts, kMaxAtomWords, "parts")}, range);
    return *std::move(type);
}

StreamElaborator::Meaning StreamElaborator::finish(ir::StreamNode node, const ir::StreamType* body,
                                                   const Scope& scope, const SourceRange& range) {
    auto type = typeOf(node, body, scope, range);
    if (!type)
        return std::nullopt;
    if (ir::isDerived(node.op))
        return derived(node, operandTypes(node, scope), *type, scope, range);
    node.type = *std::move(type);
    return append(scope.graph, std::move(node), range);
}

} // namespace marquetry::frontend
