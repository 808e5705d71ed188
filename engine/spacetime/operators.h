// L_st, the language of space and time (background/aetherling.md, "Operators of L_st"): its
// operators and its programs as graphs.
//
// Node k only refers to nodes before it. A function is a graph of its own with one output; its
// inputs carry their types. A program is built without types for what can be derived; typing.h
// derives them and says whether the program is a circuit. Thread rule: value types.
#pragma once

#include "engine/ir/stream_op.h"
#include "engine/ir/stream_table.h"
#include "engine/spacetime/seq_type.h"
#include "engine/support/strong_id.h"

#include <memory>

namespace marquetry::spacetime {

enum class Op : std::uint8_t {
    Input,
    Const,
    Counter,
    Atom, ///< a scalar or pair operator of L_seq in one clock
    STuple,
    Append,
    TupleToSSeq,
    SSeqToTuple,
    MapS,
    MapT,
    Map2S,
    Map2T,
    ReduceS,
    ReduceT,
    ScanS,
    ScanT,
    ScanTS,
    ShiftS,
    ShiftT,
    ShiftTS,
    ShiftTN,
    UpS,
    UpT,
    SelectS,
    SelectT,
    PartitionS,
    UnpartitionS,
    PartitionT,
    UnpartitionT,
    Serialize,
    Deserialize,
    Add1S,
    Add1T,
    Remove1S,
    Remove1T,
    Fifo,
    Reshape,
};

using NodeId = StrongId<struct NodeTag>;
struct Graph;

struct Node {
    Op op = Op::Input;
    std::vector<NodeId> operands{};
    /// In the order of the operator's entry: lengths n, idle i, distance r (negative where elements
    /// become later ones; not of ShiftTN), index j, delay d;
    /// Counter: the increment; ShiftTN: r, then n and i of each layer, outermost first.
    std::vector<std::int64_t> params{};
    ir::StreamOp atom = ir::StreamOp::Add; ///< Atom
    SeqType type{};                        ///< Input, Const, Counter; Reshape: of the result
    /// Const: words of erase(type); scans: of the state before the first element, likewise.
    std::vector<std::int64_t> literal{};
    std::shared_ptr<const Graph> function{};
    ir::StreamTablePtr table{}; ///< Atom of Lookup
};

struct Graph {
    std::vector<Node> nodes;
    std::vector<NodeId> inputs;
    NodeId output;

    const Node& node(NodeId id) const { return nodes[id.index()]; }
    NodeId add(Node node);
};

struct OperatorInfo {
    Op op;
    std::string_view name; ///< as printed: "map_t"
    int params;            ///< −1: any number
    int operands;          ///< −1: those of the atom operator
    int functionArity;
};

const OperatorInfo& info(Op op);

/// "shift_t 4 0 1", "add".
std::string toString(const Node& node);

} // namespace marquetry::spacetime
