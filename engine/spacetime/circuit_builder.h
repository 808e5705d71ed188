// Builds L_st programs node by node, with the type of every node at hand, and writes the operators
// of L_seq with those of L_st (background/aetherling.md, "Operators of L_st"): one shape of the
// outermost layer at a time.
//
// A change of type that keeps the layout is written as a reshape, which is wires. Operands and
// results of the functions below have the layers of the shape around an element type; what does
// not fit breaks an assertion. Thread rule: one writer.
#pragma once

#include "engine/spacetime/layer_shape.h"
#include "engine/spacetime/operators.h"

namespace marquetry::spacetime {

using Function = std::shared_ptr<const Graph>;

class CircuitBuilder {
public:
    NodeId add(Node node);
    NodeId add(Op op, std::vector<NodeId> operands, std::vector<std::int64_t> params = {},
               Function function = nullptr);
    NodeId input(const SeqType& type);
    /// The value in another type, through a reshape when it differs.
    NodeId as(NodeId value, const SeqType& type);
    const SeqType& type(NodeId id) const { return types_[id.index()]; }

    Graph finish(NodeId output) &&;
    Function finishFunction(NodeId output) &&;

private:
    Graph graph_;
    std::vector<SeqType> types_;
};

/// map, map2: one operator for each layer, the function inside.
NodeId lowerMap(CircuitBuilder& circuit, const std::vector<NodeId>& operands,
                const LayerShape& shape, const Function& function);
/// shift by `distance` elements, to later ones where it is negative: the same shape in and out.
NodeId lowerShift(CircuitBuilder& circuit, NodeId value, const LayerShape& shape,
                  const SeqType& element, std::int64_t distance);
/// up: from Seq 1 in the time of the shape to the shape.
NodeId lowerUp(CircuitBuilder& circuit, NodeId value, const LayerShape& shape,
               const SeqType& element);
/// select: from the shape to Seq 1 in its time.
NodeId lowerSelect(CircuitBuilder& circuit, NodeId value, const LayerShape& shape,
                   const SeqType& element, std::int64_t index);
/// reduce: lanes first, then groups, with a function on elements.
NodeId lowerReduce(CircuitBuilder& circuit, NodeId value, const LayerShape& shape,
                   const SeqType& element, const Function& function);
/// scan: through the lanes of a group, then to the next group, with a function of a state and an
/// element; `initial` has the words of a state.
NodeId lowerScan(CircuitBuilder& circuit, NodeId value, const LayerShape& shape,
                 const Function& function, const std::vector<std::int64_t>& initial);

} // namespace marquetry::spacetime
