#include "engine/spacetime/implementation.h"

#include "engine/support/assert.h"

#include <map>

namespace marquetry::spacetime {

using ir::StreamOp;

namespace {

bool isRegrouping(StreamOp op) {
    return op == StreamOp::Partition || op == StreamOp::Unpartition || op == StreamOp::TupleToSeq ||
           op == StreamOp::SeqToTuple;
}

/// One element in the time of the shape.
LayerShape single(const LayerShape& shape) {
    return {1, 1, 1, shape.time()};
}

/// Writes the circuit of an implementation.
class Writer {
public:
    Writer(const Implementation& implementation, LayoutTable& layouts)
        : implementation_(implementation), graph_(*implementation.graph), layouts_(layouts) {
        for (const Decision* d = implementation.decisions.get(); d; d = d->later.get())
            decisions_[d->node] = d;
    }

    Graph write() && {
        for (std::size_t k = 0; k < graph_.inputs.size(); ++k) {
            const LayoutId layout = implementation_.inputs[k];
            values_[{graph_.inputs[k], layout}] = circuit_.input(layouts_.type(layout));
            produced_[graph_.inputs[k]] = layout;
        }
        const NodeId output = value(graph_.outputs[0].node, implementation_.output);
        return std::move(circuit_).finish(output);
    }

private:
    /// A value in a layout, in its normal form.
    NodeId value(ir::StreamNodeId user, LayoutId layout) {
        const ir::StreamNodeId id = withoutRegrouping(graph_, user);
        const auto known = values_.find({id, layout});
        if (known != values_.end())
            return known->second;
        const NodeId result = compute(id, layout);
        values_[{id, layout}] = result;
        return result;
    }

    NodeId compute(ir::StreamNodeId id, LayoutId layout) {
        const ir::StreamNode& node = graph_.node(id);
        const SeqType& type = layouts_.type(layout);
        if (node.op == StreamOp::Const) {
            Node constant{Op::Const, {}, {}, {}, type};
            constant.literal = node.literal;
            return circuit_.add(std::move(constant));
        }
        if (node.op == StreamOp::Counter)
            return circuit_.add(Node{Op::Counter, {}, {node.params[1]}, {}, type});
        if (const auto made = produced_.find(id); made != produced_.end())
            return circuit_.as(value(id, made->second), type);
        const Decision& decision = *decisions_.at(id);
        produced_[id] = decision.layout;
        const std::vector<LayoutId> wanted = operandLayouts(graph_, decision, layouts_);
        std::vector<NodeId> operands;
        for (std::size_t k = 0; k < node.operands.size(); ++k)
            operands.push_back(value(node.operands[k], wanted[k]));
        const NodeId result = lowerOperator(circuit_, graph_, decision, operands, layouts_);
        values_[{id, decision.layout}] = circuit_.as(result, layouts_.type(decision.layout));
        return value(id, layout);
    }

    const Implementation& implementation_;
    const ir::StreamGraph& graph_;
    LayoutTable& layouts_;
    CircuitBuilder circuit_;
    std::map<ir::StreamNodeId, const Decision*> decisions_;
    std::map<ir::StreamNodeId, LayoutId> produced_;
    std::map<std::pair<ir::StreamNodeId, LayoutId>, NodeId> values_;
};

} // namespace

ir::StreamNodeId withoutRegrouping(const ir::StreamGraph& graph, ir::StreamNodeId id) {
    while (isRegrouping(graph.node(id).op))
        id = graph.node(id).operands[0];
    return id;
}

std::vector<LayoutId> operandLayouts(const ir::StreamGraph& graph, const Decision& decision,
                                     LayoutTable& layouts) {
    const ir::StreamNode& node = graph.node(decision.node);
    std::vector<LayoutId> wanted;
    switch (node.op) {
    case StreamOp::Map:
    case StreamOp::Map2:
        for (const LayoutId input : decision.function->inputs)
            wanted.push_back(layouts.around(decision.shape, input));
        return wanted;
    case StreamOp::STuple:
        return {decision.element, decision.element};
    case StreamOp::Append:
        return {layouts.intern(stuple(node.type.length - 1, layouts.type(decision.element))),
                decision.element};
    case StreamOp::Up:
        return {layouts.around(single(decision.shape), decision.element)};
    case StreamOp::Select:
    case StreamOp::Reduce:
        return {layouts.around(decision.shape, decision.element)};
    case StreamOp::Scan:
        return {layouts.around(decision.shape, decision.function->inputs[1])};
    case StreamOp::Shift:
        return {decision.layout};
    default:
        for (const ir::StreamNodeId operand : node.operands)
            wanted.push_back(layouts.intern(atomType(graph.node(operand).type)));
        return wanted;
    }
}

namespace {

NodeId lowerAtom(CircuitBuilder& circuit, const ir::StreamNode& node,
                 const std::vector<NodeId>& operands) {
    Node atom{Op::Atom, operands, {}, node.op};
    atom.table = node.table;
    return circuit.add(std::move(atom));
}

} // namespace

NodeId lowerOperator(CircuitBuilder& circuit, const ir::StreamGraph& graph,
                     const Decision& decision, const std::vector<NodeId>& operands,
                     LayoutTable& layouts) {
    const ir::StreamNode& node = graph.node(decision.node);
    const LayerShape& shape = decision.shape;
    const SeqType element = decision.element.valid() ? layouts.type(decision.element) : SeqType();
    const auto layered = [&] { return circuit.as(operands[0], around(shape, element)); };
    switch (node.op) {
    case StreamOp::Map:
    case StreamOp::Map2: {
        std::vector<NodeId> values;
        for (std::size_t k = 0; k < operands.size(); ++k)
            values.push_back(
                circuit.as(operands[k], around(shape, layouts.type(decision.function->inputs[k]))));
        return lowerMap(circuit, values, shape,
                        std::make_shared<Graph>(circuitOf(*decision.function, layouts)));
    }
    case StreamOp::STuple:
        return circuit.add(Op::STuple, operands);
    case StreamOp::Append:
        return circuit.add(
            Op::Append,
            {circuit.as(operands[0], stuple(node.type.length - 1, element)), operands[1]});
    case StreamOp::Shift:
        return lowerShift(circuit, layered(), shape, element, node.params[0]);
    case StreamOp::Up:
        return lowerUp(circuit, operands[0], shape, element);
    case StreamOp::Select:
        return lowerSelect(circuit, layered(), shape, element, node.params[0]);
    case StreamOp::Reduce:
        return lowerReduce(circuit, layered(), shape, element,
                           std::make_shared<Graph>(circuitOf(*decision.function, layouts)));
    case StreamOp::Scan:
        return lowerScan(circuit, operands[0], shape,
                         std::make_shared<Graph>(circuitOf(*decision.function, layouts)),
                         node.literal);
    default:
        return lowerAtom(circuit, node, operands);
    }
}

Graph circuitOf(const Implementation& implementation, LayoutTable& layouts) {
    return Writer(implementation, layouts).write();
}

} // namespace marquetry::spacetime
