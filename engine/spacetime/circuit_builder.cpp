#include "engine/spacetime/circuit_builder.h"

#include "engine/spacetime/typing.h"
#include "engine/support/assert.h"

#include <algorithm>

namespace marquetry::spacetime {

using Kind = SeqType::Kind;

NodeId CircuitBuilder::add(Node node) {
    std::vector<SeqType> operands;
    for (const NodeId operand : node.operands)
        operands.push_back(type(operand));
    auto judged = judge(node, operands);
    ENGINE_ASSERT(judged.has_value(), judged ? "" : judged.error()[0].message.c_str());
    types_.push_back(*std::move(judged));
    return graph_.add(std::move(node));
}

NodeId CircuitBuilder::add(Op op, std::vector<NodeId> operands, std::vector<std::int64_t> params,
                           Function function) {
    Node node{op, std::move(operands), std::move(params)};
    node.function = std::move(function);
    return add(std::move(node));
}

NodeId CircuitBuilder::input(const SeqType& type) {
    graph_.inputs.push_back(add(Node{Op::Input, {}, {}, {}, type}));
    return graph_.inputs.back();
}

NodeId CircuitBuilder::as(NodeId value, const SeqType& type) {
    if (this->type(value) == type)
        return value;
    return add(Node{Op::Reshape, {value}, {}, {}, type});
}

Graph CircuitBuilder::finish(NodeId output) && {
    graph_.output = output;
    return std::move(graph_);
}

Function CircuitBuilder::finishFunction(NodeId output) && {
    return std::make_shared<Graph>(std::move(*this).finish(output));
}

namespace {

std::vector<std::int64_t> paramsOf(const SeqType& layer) {
    return layer.is(Kind::TSeq) ? std::vector{layer.length, layer.idle} : std::vector{layer.length};
}

NodeId mapLayer(CircuitBuilder& circuit, const std::vector<NodeId>& operands, const SeqType& layer,
                const Function& function) {
    const bool time = layer.is(Kind::TSeq);
    const Op op =
        operands.size() == 2 ? (time ? Op::Map2T : Op::Map2S) : (time ? Op::MapT : Op::MapS);
    return circuit.add(op, operands, paramsOf(layer), function);
}

/// A function on elements as one on values with a layer around them.
Function lifted(const Function& function, const SeqType& layer) {
    CircuitBuilder circuit;
    std::vector<NodeId> operands;
    for (const NodeId id : function->inputs)
        operands.push_back(circuit.input(around({layer}, function->node(id).type)));
    return std::move(circuit).finishFunction(mapLayer(circuit, operands, layer, function));
}

bool inTime(const LayerShape& shape) {
    return shape.period > 1;
}

/// The element with the idle time behind each.
SeqType spreadElement(const LayerShape& shape, const SeqType& element) {
    return shape.spread > 1 ? tseq(1, shape.spread - 1, element) : element;
}

/// Applies `operate` to the value inside the layer in time.
template <class Operate>
NodeId insideTime(CircuitBuilder& circuit, NodeId value, const SeqType& layer,
                  const Operate& operate) {
    CircuitBuilder inner;
    const NodeId input = inner.input(circuit.type(value).element());
    const Function function = std::move(inner).finishFunction(operate(inner, input));
    return mapLayer(circuit, {value}, layer, function);
}

/// What a layer of groups is when only one of them is there.
SeqType oneGroup(const LayerShape& shape) {
    return tseq(1, shape.period - 1, {});
}

} // namespace

NodeId lowerMap(CircuitBuilder& circuit, const std::vector<NodeId>& operands,
                const LayerShape& shape, const Function& function) {
    const std::vector<SeqType> layers = layersOf(shape);
    Function inner = function;
    for (std::size_t k = layers.size(); k-- > 1;)
        inner = lifted(inner, layers[k]);
    return mapLayer(circuit, operands, layers[0], inner);
}

NodeId lowerShift(CircuitBuilder& circuit, NodeId value, const LayerShape& shape,
                  const SeqType& element, std::int64_t distance) {
    const std::int64_t length = shape.groups * shape.lanes;
    distance = std::clamp(distance, -length, length); // then all is undefined
    const SeqType inner = spreadElement(shape, element);
    const std::int64_t idle = shape.period - shape.groups;
    if (!inTime(shape))
        return circuit.add(Op::ShiftS, {circuit.as(value, sseq(shape.lanes, inner))},
                           {shape.lanes, distance});
    if (shape.lanes == 1)
        return circuit.add(Op::ShiftT, {value}, {shape.groups, idle, distance});
    return circuit.add(Op::ShiftTS, {value}, {shape.groups, idle, shape.lanes, distance});
}

NodeId lowerUp(CircuitBuilder& circuit, NodeId value, const LayerShape& shape,
               const SeqType& element) {
    const SeqType inner = spreadElement(shape, element);
    const SeqType one = sseq(1, inner);
    if (!inTime(shape))
        return circuit.add(Op::UpS, {circuit.as(value, one)}, {shape.lanes});
    const std::int64_t idle = shape.period - shape.groups;
    const NodeId single = circuit.as(value, tseq(1, shape.period - 1, one));
    const NodeId groups = circuit.add(Op::UpT, {single}, {shape.groups, idle});
    return insideTime(circuit, groups, tseq(shape.groups, idle, {}),
                      [&](CircuitBuilder& inside, NodeId input) {
                          return inside.add(Op::UpS, {input}, {shape.lanes});
                      });
}

NodeId lowerSelect(CircuitBuilder& circuit, NodeId value, const LayerShape& shape,
                   const SeqType& element, std::int64_t index) {
    const SeqType lanes = sseq(shape.lanes, spreadElement(shape, element));
    const std::int64_t lane = index % shape.lanes;
    const auto ofLanes = [&](CircuitBuilder& inside, NodeId input) {
        return inside.add(Op::SelectS, {input}, {shape.lanes, lane});
    };
    if (!inTime(shape))
        return ofLanes(circuit, circuit.as(value, lanes));
    const std::int64_t idle = shape.period - shape.groups;
    const NodeId groups = circuit.as(value, tseq(shape.groups, idle, lanes));
    const NodeId group =
        circuit.add(Op::SelectT, {groups}, {shape.groups, idle, index / shape.lanes});
    return insideTime(circuit, group, oneGroup(shape), ofLanes);
}

NodeId lowerScan(CircuitBuilder& circuit, NodeId value, const LayerShape& shape,
                 const Function& function, const std::vector<std::int64_t>& initial) {
    Node scan{Op::ScanS, {}, {shape.lanes}};
    scan.function = shape.spread > 1 ? lifted(function, tseq(1, shape.spread - 1, {})) : function;
    scan.literal = initial;
    SeqType layers = sseq(shape.lanes, scan.function->node(scan.function->inputs[1]).type);
    if (inTime(shape)) {
        const std::int64_t idle = shape.period - shape.groups;
        const bool single = shape.lanes == 1;
        scan.op = single ? Op::ScanT : Op::ScanTS;
        scan.params = {shape.groups, idle};
        if (!single)
            scan.params.push_back(shape.lanes);
        layers = tseq(shape.groups, idle, single ? layers.element() : layers);
    }
    scan.operands = {circuit.as(value, layers)};
    return circuit.add(std::move(scan));
}

NodeId lowerReduce(CircuitBuilder& circuit, NodeId value, const LayerShape& shape,
                   const SeqType& element, const Function& function) {
    const Function spread =
        shape.spread > 1 ? lifted(function, tseq(1, shape.spread - 1, {})) : function;
    const SeqType lanes = sseq(shape.lanes, spreadElement(shape, element));
    const auto ofLanes = [&](CircuitBuilder& inside, NodeId input) {
        return inside.add(Op::ReduceS, {input}, {shape.lanes}, spread);
    };
    if (!inTime(shape))
        return ofLanes(circuit, circuit.as(value, lanes));
    const std::int64_t idle = shape.period - shape.groups;
    const SeqType groupLayer = tseq(shape.groups, idle, {});
    const NodeId groups = circuit.as(value, tseq(shape.groups, idle, lanes));
    const NodeId sums = insideTime(circuit, groups, groupLayer, ofLanes);
    const NodeId plain = circuit.as(sums, tseq(shape.groups, idle, lanes.element()));
    return circuit.add(Op::ReduceT, {plain}, {shape.groups, idle}, spread);
}

} // namespace marquetry::spacetime
