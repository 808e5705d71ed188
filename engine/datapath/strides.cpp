#include "engine/datapath/strides.h"

#include "engine/spacetime/layer_shape.h"
#include "engine/spacetime/loop_length.h"
#include "engine/spacetime/scan_node.h"
#include "engine/spacetime/typing.h"
#include "engine/support/assert.h"

#include <numeric>

namespace marquetry::datapath {

using spacetime::Graph;
using spacetime::Node;
using spacetime::Op;
using spacetime::SeqType;

using Kind = SeqType::Kind;

namespace {

bool mapsInTime(const Node& map) {
    return map.op == Op::MapT || map.op == Op::Map2T;
}

bool isLoop(const Node& node) {
    return node.op == Op::ScanT || node.op == Op::ScanTS;
}

/// The largest part of `common` that leaves the loop of a scan the steps that its length needs.
std::int64_t stepOfLoop(const Node& scan, std::int64_t common, std::int64_t period) {
    const std::int64_t needed =
        loopLength(*scan.function, lanesOfScan(scan), spacetime::kPathLimit).clocks;
    for (const std::int64_t part : spacetime::divisors(common)) {
        const std::int64_t step = common / part;
        if (period / step >= needed)
            return step;
    }
    return 1;
}

} // namespace

std::int64_t strideOf(const SeqType& type, std::int64_t stride) {
    if (type.is(Kind::Atom))
        return stride;
    if (type.is(Kind::TSeq) && type.length > 1)
        stride = std::gcd(stride, clocks(type.element()));
    return strideOf(type.element(), stride);
}

std::int64_t innerStride(const Node& node, const SeqType& operand, std::int64_t stride) {
    const bool repeats =
        (mapsInTime(node) || node.op == Op::ReduceT || isLoop(node)) && node.params[0] > 1;
    return repeats ? std::gcd(stride, clocks(operand.element())) : stride;
}

std::int64_t commonStride(const Graph& graph, std::int64_t stride) {
    const auto types = check(graph);
    ENGINE_ASSERT(types.has_value(), "only well-typed programs are circuits");
    std::int64_t common = stride;
    for (std::size_t k = 0; k < graph.nodes.size(); ++k) {
        const Node& node = graph.nodes[k];
        common = std::gcd(common, strideOf((*types)[k], stride));
        if (node.function)
            common = std::gcd(
                common,
                commonStride(*node.function,
                             innerStride(node, (*types)[node.operands[0].index()], stride)));
        if (isLoop(node) && node.params[0] > 1)
            common = stepOfLoop(node, common, clocks((*types)[node.operands[0].index()].element()));
    }
    return common;
}

} // namespace marquetry::datapath
