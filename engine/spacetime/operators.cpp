#include "engine/spacetime/operators.h"

#include <array>

namespace marquetry::spacetime {

namespace {

constexpr std::array<OperatorInfo, 37> kOps = {{
    {Op::Input, "input", 0, 0, 0},
    {Op::Const, "const", 0, 0, 0},
    {Op::Counter, "counter", 1, 0, 0},
    {Op::Atom, "atom", 0, -1, 0},
    {Op::STuple, "stuple", 0, 2, 0},
    {Op::Append, "stuple_append", 0, 2, 0},
    {Op::TupleToSSeq, "stuple_to_sseq", 0, 1, 0},
    {Op::SSeqToTuple, "sseq_to_stuple", 0, 1, 0},
    {Op::MapS, "map_s", 1, 1, 1},
    {Op::MapT, "map_t", 2, 1, 1},
    {Op::Map2S, "map2_s", 1, 2, 2},
    {Op::Map2T, "map2_t", 2, 2, 2},
    {Op::ReduceS, "reduce_s", 1, 1, 2},
    {Op::ReduceT, "reduce_t", 2, 1, 2},
    {Op::ScanS, "scan_s", 1, 1, 2},
    {Op::ScanT, "scan_t", 2, 1, 2},
    {Op::ScanTS, "scan_ts", 3, 1, 2},
    {Op::ShiftS, "shift_s", 2, 1, 0},
    {Op::ShiftT, "shift_t", 3, 1, 0},
    {Op::ShiftTS, "shift_ts", 4, 1, 0},
    {Op::ShiftTN, "shift_tn", -1, 1, 0},
    {Op::UpS, "up_1d_s", 1, 1, 0},
    {Op::UpT, "up_1d_t", 2, 1, 0},
    {Op::SelectS, "select_1d_s", 2, 1, 0},
    {Op::SelectT, "select_1d_t", 3, 1, 0},
    {Op::PartitionS, "partition_s_ss", 2, 1, 0},
    {Op::UnpartitionS, "unpartition_s_ss", 2, 1, 0},
    {Op::PartitionT, "partition_t_tt", 4, 1, 0},
    {Op::UnpartitionT, "unpartition_t_tt", 4, 1, 0},
    {Op::Serialize, "serialize", 2, 1, 0},
    {Op::Deserialize, "deserialize", 2, 1, 0},
    {Op::Add1S, "add_1_s", 0, 1, 0},
    {Op::Add1T, "add_1_0_t", 0, 1, 0},
    {Op::Remove1S, "remove_1_s", 0, 1, 0},
    {Op::Remove1T, "remove_1_0_t", 0, 1, 0},
    {Op::Fifo, "fifo", 1, 1, 0},
    {Op::Reshape, "reshape", 0, 1, 0},
}};

} // namespace

NodeId Graph::add(Node node) {
    nodes.push_back(std::move(node));
    return NodeId(nodes.size() - 1);
}

const OperatorInfo& info(Op op) {
    return kOps[static_cast<std::size_t>(op)];
}

std::string toString(const Node& node) {
    if (node.op == Op::Atom)
        return std::string(ir::info(node.atom).name);
    std::string text(info(node.op).name);
    for (const std::int64_t param : node.params)
        text += " " + std::to_string(param);
    return text;
}

} // namespace marquetry::spacetime
