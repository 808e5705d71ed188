#include "engine/spacetime/delay.h"

#include "engine/spacetime/typing.h"

#include <algorithm>
#include <optional>

namespace marquetry::spacetime {

using Kind = SeqType::Kind;

namespace {

/// The clock in which element `k` of a value is there.
std::int64_t clockOf(const SeqType& type, std::int64_t k) {
    if (type.is(Kind::Atom))
        return 0;
    const std::int64_t size = atomCount(type.element());
    const std::int64_t outer = type.is(Kind::TSeq) ? k / size * clocks(type.element()) : 0;
    return outer + clockOf(type.element(), k % size);
}

std::int64_t atomDelay(const Node& node, const SeqType& operand) {
    switch (node.atom) {
    case ir::StreamOp::Abs:
        return 1;
    case ir::StreamOp::Mul:
    case ir::StreamOp::Div:
        return ir::atomBits(operand.atom) >= 32 ? 6 : 3;
    default:
        return 0;
    }
}

Result<std::int64_t> ownDelay(const Node& node, const std::vector<SeqType>& types) {
    const auto operand = [&]() -> const SeqType& { return types[node.operands[0].index()]; };
    switch (node.op) {
    case Op::Atom:
        return atomDelay(node, operand());
    case Op::MapS:
    case Op::MapT:
    case Op::Map2S:
    case Op::Map2T:
        return delay(*node.function);
    case Op::ReduceS:
    case Op::ReduceT: {
        const auto body = delay(*node.function);
        if (!body)
            return body;
        if (*body != 0)
            return makeError("delay-mismatch", "the function of '" + toString(node) +
                                                   "' has a delay of " + std::to_string(*body) +
                                                   " clocks; a reduction needs one without");
        const bool inSpace = node.op == Op::ReduceS;
        return inSpace ? 2 : (node.params[0] - 1) * clocks(operand().element()) + 2;
    }
    case Op::SelectT:
        return node.params.back() * clocks(operand().element());
    case Op::Serialize:
        return 1;
    case Op::Fifo:
        return node.params[0];
    case Op::Reshape:
        return reshapeDelay(operand(), node.type);
    case Op::Deserialize:
        return reshapeDelay(operand(), *judge(node, std::span(&operand(), 1)));
    default:
        return 0;
    }
}

bool isGenerator(const Node& node) {
    return node.op == Op::Const || node.op == Op::Counter;
}

} // namespace

std::int64_t reshapeDelay(const SeqType& from, const SeqType& to) {
    if (equivalent(from, to))
        return 0;
    std::int64_t latest = 0;
    for (std::int64_t k = 0; k < atomCount(from); ++k)
        latest = std::max(latest, 1 + clockOf(from, k) - clockOf(to, k));
    return latest;
}

Result<std::int64_t> delay(const Graph& graph) {
    const auto types = check(graph);
    if (!types)
        return types.error();
    /// Nothing for what generators alone feed: they start when they are needed.
    std::vector<std::optional<std::int64_t>> delays;
    for (const Node& node : graph.nodes) {
        std::optional<std::int64_t> start;
        if (node.op == Op::Input)
            start = 0;
        for (const NodeId operand : node.operands) {
            const auto& other = delays[operand.index()];
            if (start && other && *start != *other)
                return makeError(
                    "delay-mismatch",
                    "the operands of '" + toString(node) + "' come after " +
                        std::to_string(*start) + " and " + std::to_string(*other) + " clocks",
                    "the earlier one needs a fifo of " + std::to_string(std::abs(*start - *other)));
            start = start ? start : other;
        }
        if (!isGenerator(node) && start) {
            const auto own = ownDelay(node, *types);
            if (!own)
                return own;
            *start += *own;
        }
        delays.push_back(start);
    }
    return delays[graph.output.index()].value_or(0);
}

} // namespace marquetry::spacetime
