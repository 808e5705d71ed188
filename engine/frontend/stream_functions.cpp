// The functions of a stream: what may be applied, and the graphs that come of it.
#include "engine/frontend/stream_elaborator.h"

namespace marquetry::frontend {

using ir::StreamNodeId;
using ir::StreamOp;
using Kind = StreamExprSyntax::Kind;

std::size_t StreamElaborator::Function::arity() const {
    return op ? static_cast<std::size_t>(op->operands) : expression->parameters.size();
}

bool StreamElaborator::Function::associative() const {
    return op ? op->associative : expression->associative;
}

std::optional<StreamElaborator::Function>
StreamElaborator::function(const StreamExprSyntax& expression, const Scope& scope) {
    if (expression.kind == Kind::Function)
        return Function{nullptr, &expression, "the function"};
    if (expression.kind == Kind::Name) {
        const std::string& name = expression.name.text;
        if (const auto* op = operatorNamed(name, scope)) {
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

std::shared_ptr<const ir::StreamGraph>
StreamElaborator::functionGraph(const Function& applied, const std::vector<ir::StreamType>& types,
                                const Scope& scope, const SourceRange& range) {
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
StreamElaborator::Meaning StreamElaborator::apply(const Function& applied,
                                                  const std::vector<StreamNodeId>& arguments,
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
        const WordSyntax& name = expression.parameters[k];
        if (!notAnOperator(name))
            return std::nullopt;
        if (!inner.values.emplace(name.text, arguments[k]).second)
            return error("duplicate-name", "the function has two parameters '" + name.text + "'",
                         "", name.range);
        ir::StreamNode& node = scope.graph.nodes[arguments[k].index()];
        if (node.op == StreamOp::Input && node.name.empty())
            node.name = name.text;
    }
    return elaborate(stream_.expressions[expression.operands[0]], inner);
}

} // namespace marquetry::frontend
