#include "engine/ir/stream_program.h"

#include "engine/support/checked_math.h"

namespace marquetry::ir {

std::int64_t multiplications(const StreamGraph& graph) {
    std::int64_t sum = 0;
    for (const StreamNode& node : graph.nodes) {
        if (node.op == StreamOp::Mul)
            sum = saturatingAdd(sum, 1);
        if (!node.function)
            continue;
        const std::int64_t length = graph.node(node.operands[0]).type.length;
        sum = saturatingAdd(sum, saturatingMul(node.op == StreamOp::Reduce ? length - 1 : length,
                                               multiplications(*node.function)));
    }
    return sum;
}

} // namespace marquetry::ir
