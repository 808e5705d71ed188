// An implementation: for every value of a stream program, or of one of its functions, the layout it
// is produced in; enough to write the circuit down.
//
// Every value is produced once, in one layout; users that ask for another get it through a change
// of layout. Constants and counters are the exception: they are generated in every layout asked
// for. Operators that only regroup elements (partition, unpartition, tuple_to_seq, seq_to_tuple)
// are wires: their result has the layouts of their operand.
// Thread rule: immutable once made.
#pragma once

#include "engine/ir/stream_program.h"
#include "engine/spacetime/circuit_builder.h"
#include "engine/spacetime/layout_table.h"

namespace marquetry::spacetime {

struct Implementation;

/// How the value of one node is produced. The chain leads to the nodes behind it.
struct Decision {
    ir::StreamNodeId node;
    LayoutId layout;
    /// Sequences: the outermost layer; reduce and select: that of the operand; scan: of both.
    LayerShape shape;
    LayoutId element;
    std::shared_ptr<const Implementation> function;
    std::shared_ptr<const Decision> later;
};

struct Implementation {
    const ir::StreamGraph* graph = nullptr;
    LayoutId output;
    std::vector<LayoutId> inputs;
    device::Resources area; ///< without registers that match delays
    std::shared_ptr<const Decision> decisions;
};

/// The node whose value this one is, but for grouping.
ir::StreamNodeId withoutRegrouping(const ir::StreamGraph& graph, ir::StreamNodeId id);

/// The layouts that the decision needs of the operands of its node.
std::vector<LayoutId> operandLayouts(const ir::StreamGraph& graph, const Decision& decision,
                                     LayoutTable& layouts);

/// The operator alone, on operands in the layouts it needs: its result, in any type of the layout.
NodeId lowerOperator(CircuitBuilder& circuit, const ir::StreamGraph& graph,
                     const Decision& decision, const std::vector<NodeId>& operands,
                     LayoutTable& layouts);

/// The whole circuit; inputs and output have the types of their layouts. Operands do not meet at
/// equal delays yet.
Graph circuitOf(const Implementation& implementation, LayoutTable& layouts);

} // namespace marquetry::spacetime
