// The functions of a stream: what may be applied, and the graphs that come of it.
#include "engine/frontend/stream_elaborator.h"

#include "engine/support/limits.h"

namespace marquetry::frontend {

using ir::StreamNodeId;
using ir::StreamOp;
using Kind = StreamExprSyntax::Kind;

namespace {

/// Functions that apply each other twice each double with each of them, even those without nodes.
constexpr std::int64_t kMaxApplications = 1'000'000;

constexpr const char* kFunctionHint = "e.g. fn v -> add(v, 1), or add";

} // namespace

std::size_t StreamElaborator::Function::arity() const {
    if (op)
        return static_cast<std::size_t>(op->operands);
    return expression->kind == Kind::Table ? 1 : expression->parameters.size();
}

bool StreamElaborator::Function::associative() const {
    return op ? op->associative : expression->associative;
}

const StreamElaborator::Function* StreamElaborator::givenFunction(const std::string& name,
                                                                  const Scope& scope) {
    for (const Scope* place = &scope; place && !place->values.contains(name);
         place = place->written) {
        if (const auto given = place->functions.find(name); given != place->functions.end())
            return &given->second;
    }
    return nullptr;
}

bool StreamElaborator::isFunction(const std::string& name, const Scope& scope) const {
    if (scope.values.contains(name))
        return false;
    return givenFunction(name, scope) || functions_.contains(name) || operatorNamed(name, scope);
}

std::optional<StreamElaborator::Function>
StreamElaborator::function(const StreamExprSyntax& expression, const Scope& scope) {
    if (expression.isFunction())
        return Function{nullptr, &expression,
                        expression.kind == Kind::Table ? "the table" : "the function", &scope};
    if (expression.kind == Kind::Name)
        return functionNamed(expression.name, scope);
    return error("type-mismatch", "expected a function here", kFunctionHint, expression.range);
}

std::optional<StreamElaborator::Function> StreamElaborator::functionNamed(const WordSyntax& word,
                                                                          const Scope& scope) {
    const std::string& name = word.text;
    if (const Function* given = givenFunction(name, scope))
        return *given;
    if (const auto* op = operatorNamed(name, scope)) {
        if (op->params == 0 && op->functionArity == 0)
            return Function{op, nullptr, name, nullptr};
        return error("type-mismatch", "'" + name + "' needs more than values to work on",
                     "write fn x -> " + usage(*op), word.range);
    }
    if (const auto named = functions_.find(name); named != functions_.end())
        return Function{nullptr, named->second, name, nullptr};
    if (!lookUp(word, scope))
        return std::nullopt;
    return error("type-mismatch", "expected a function here", kFunctionHint, word.range);
}

StreamElaborator::Meaning StreamElaborator::higherOrder(ir::StreamNode node,
                                                        const StreamExprSyntax& syntax,
                                                        const Scope& scope,
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
    if (node.op == StreamOp::Reduce && !applied->associative())
        return error("not-associative",
                     "reduce needs an associative function: the order of the elements "
                     "is not kept",
                     "use add, mul, and, or, xor, min or max, or promise it with assoc fn",
                     syntax.range);
    // The operands themselves first: their mistakes are reported without the function.
    std::vector<ir::StreamType> types = operandTypes(node, scope);
    if (const auto fitting = op.type(types, node.params, nullptr); !fitting)
        return reportAt(fitting.error(), range);
    for (ir::StreamType& type : types)
        type = ir::StreamType(type.element());
    if (node.op == StreamOp::Reduce)
        types.push_back(types[0]);
    if (node.op == StreamOp::Scan)
        types.insert(types.begin(), node.type);
    const auto body = functionGraph(*applied, types, scope, syntax.range);
    if (!body)
        return std::nullopt;
    node.function = body;
    const ir::StreamType result = body->node(body->outputs[0].node).type;
    if (!yieldsState(node, result, syntax.range))
        return std::nullopt;
    return finish(std::move(node), &result, scope, range);
}

std::shared_ptr<const ir::StreamGraph>
StreamElaborator::functionGraph(const Function& applied, const std::vector<ir::StreamType>& types,
                                const Scope& scope, const SourceRange& range) {
    auto graph = std::make_shared<ir::StreamGraph>();
    std::vector<Argument> arguments;
    for (const ir::StreamType& type : types) {
        const Meaning input = append(*graph, {StreamOp::Input, {}, type}, range);
        if (!input)
            return nullptr;
        graph->inputs.push_back(*input);
        arguments.push_back({*input, std::nullopt});
    }
    const Scope inner{*graph, {}, &scope, {}, nullptr};
    const Meaning result = apply(applied, arguments, inner, range);
    if (!result)
        return nullptr;
    graph->outputs.push_back({"", *result});
    return graph;
}

/// Writes the function's nodes into the graph of `scope`, whose nodes the arguments are.
StreamElaborator::Meaning StreamElaborator::apply(const Function& applied,
                                                  const std::vector<Argument>& arguments,
                                                  const Scope& scope, const SourceRange& range) {
    if (nodes_ > kMaxStreamNodes)
        return std::nullopt;
    applications_ += 1 + std::ssize(arguments);
    if (applications_ > kMaxApplications) {
        nodes_ = kMaxStreamNodes + 1;
        return reportAt({tooLarge("the stream has", applications_, kMaxApplications,
                                  "functions and arguments with those that they apply")},
                        range);
    }
    if (arguments.size() != applied.arity())
        return error("operand-count",
                     "'" + applied.name + "' takes " + std::to_string(applied.arity()) +
                         " arguments, not " + std::to_string(arguments.size()),
                     "", range);
    if (applied.op)
        return applyOperator(applied, arguments, scope, range);
    if (applied.expression->kind == Kind::Table)
        return lookedUp(applied, arguments[0], scope, range);
    Scope inner{scope.graph, {}, &scope, {}, applied.written};
    for (std::size_t k = 0; k < arguments.size(); ++k) {
        if (!bind(applied.expression->parameters[k], arguments[k], inner))
            return std::nullopt;
    }
    return elaborate(stream_.expressions[applied.expression->operands[0]], inner);
}

StreamElaborator::Meaning StreamElaborator::applyOperator(const Function& applied,
                                                          const std::vector<Argument>& arguments,
                                                          const Scope& scope,
                                                          const SourceRange& range) {
    ir::StreamNode node{applied.op->op, {}, {}};
    for (const Argument& argument : arguments) {
        if (argument.function)
            return error("type-mismatch",
                         "'" + applied.name + "' works on values, not on functions", "", range);
        node.operands.push_back(argument.value);
    }
    return finish(std::move(node), nullptr, scope, range);
}

bool StreamElaborator::bind(const WordSyntax& parameter, const Argument& argument, Scope& inner) {
    if (!notAnOperator(parameter))
        return false;
    const bool isFresh =
        !inner.values.contains(parameter.text) && !inner.functions.contains(parameter.text);
    if (!isFresh) {
        error("duplicate-name", "the function has two parameters '" + parameter.text + "'", "",
              parameter.range);
        return false;
    }
    if (argument.function) {
        inner.functions.emplace(parameter.text, *argument.function);
        return true;
    }
    inner.values.emplace(parameter.text, argument.value);
    ir::StreamNode& node = inner.graph.nodes[argument.value.index()];
    if (node.op == StreamOp::Input && node.name.empty())
        node.name = parameter.text;
    return true;
}

} // namespace marquetry::frontend
