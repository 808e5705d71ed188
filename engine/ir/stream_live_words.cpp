#include "engine/ir/stream_live_words.h"

#include "engine/support/checked_math.h"

#include <algorithm>

namespace marquetry::ir {

namespace {

/// Words that one step of a map works on: small enough for the caches.
constexpr std::int64_t kChunkWords = 1 << 14;

std::int64_t boundedProduct(std::int64_t a, std::int64_t b) {
    return std::min(checkedMul(a, b).value_or(kMostWords), kMostWords);
}

std::int64_t sum(std::int64_t a, std::int64_t b) {
    return std::min(a + b, kMostWords);
}

/// What a node holds beside its operands and its result.
std::int64_t wordsWithin(const StreamGraph& graph, const StreamNode& node, std::int64_t batch) {
    if (node.op == StreamOp::Map || node.op == StreamOp::Map2) {
        const std::int64_t elements = boundedProduct(batch, node.type.length);
        return liveWords(*node.function, std::min(elements, chunkOf(graph, node)));
    }
    if (node.op == StreamOp::Reduce || node.op == StreamOp::Scan)
        return liveWords(*node.function, batch);
    return 0;
}

} // namespace

std::vector<int> useCounts(const StreamGraph& graph) {
    std::vector<int> uses(graph.nodes.size(), 0);
    for (const StreamNode& node : graph.nodes) {
        for (const StreamNodeId operand : node.operands)
            ++uses[operand.index()];
    }
    for (const StreamOutput& output : graph.outputs)
        ++uses[output.node.index()];
    return uses;
}

std::int64_t chunkOf(const StreamGraph& graph, const StreamNode& map) {
    std::int64_t widest = words(map.type.element());
    for (const StreamNodeId operand : map.operands)
        widest = std::max(widest, words(graph.node(operand).type.element()));
    return std::max<std::int64_t>(1, kChunkWords / widest);
}

std::int64_t liveWords(const StreamGraph& graph, std::int64_t batch) {
    const auto wordsOf = [&](StreamNodeId id) {
        return boundedProduct(words(graph.node(id).type), batch);
    };
    std::int64_t live = 0;
    for (const StreamNodeId input : graph.inputs)
        live = sum(live, wordsOf(input));
    std::int64_t most = live;
    std::vector<int> uses = useCounts(graph);
    for (std::size_t k = 0; k < graph.nodes.size(); ++k) {
        const StreamNode& node = graph.nodes[k];
        if (node.op != StreamOp::Input)
            live = sum(live, wordsOf(StreamNodeId(k)));
        most = std::max(most, sum(live, wordsWithin(graph, node, batch)));
        for (const StreamNodeId operand : node.operands) {
            if (--uses[operand.index()] == 0)
                live -= wordsOf(operand);
        }
    }
    return most;
}

std::int64_t computedWords(const StreamGraph& graph) {
    std::int64_t sum = 0;
    for (const StreamNode& node : graph.nodes) {
        if (node.op != StreamOp::Input)
            sum = saturatingAdd(sum, words(node.type));
        if (!node.function)
            continue;
        const std::int64_t length = graph.node(node.operands[0]).type.length;
        sum = saturatingAdd(sum, saturatingMul(length, computedWords(*node.function)));
    }
    return sum;
}

} // namespace marquetry::ir
