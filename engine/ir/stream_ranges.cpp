#include "engine/ir/stream_ranges.h"

#include "engine/ir/op.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <optional>

namespace marquetry::ir {

WordRange fullRange(const StreamType& leaf) {
    const ScalarInfo& scalar = info(leaves(leaf)[0]);
    return {scalar.min, scalar.max};
}

namespace {

bool contains(const WordRange& outer, const WordRange& inner) {
    return outer.low <= inner.low && inner.high <= outer.high;
}

WordRange orFull(const WordRange& range, const StreamType& type) {
    const WordRange full = fullRange(type);
    return contains(full, range) ? range : full;
}

WordRange covering(const WordRange& a, const WordRange& b) {
    return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

WordRange productRange(const WordRange& a, const WordRange& b) {
    // Words have at most 32 bits: products of two of them fit, up to the sign of the largest.
    const auto times = [](std::int64_t x, std::int64_t y) {
        std::int64_t result = 0;
        return __builtin_mul_overflow(x, y, &result) ? std::numeric_limits<std::int64_t>::max()
                                                     : result;
    };
    const auto [low, high] = std::minmax(
        {times(a.low, b.low), times(a.low, b.high), times(a.high, b.low), times(a.high, b.high)});
    return {low, high};
}

WordRange comparisonRange(StreamOp op, const WordRange& a, const WordRange& b) {
    const bool apart = a.high < b.low || b.high < a.low;
    if (op == StreamOp::Lt)
        return {a.high < b.low ? 1 : 0, a.low < b.high ? 1 : 0};
    return {a == b && a.low == a.high ? 1 : 0, apart ? 0 : 1};
}

WordRange shiftRange(StreamOp op, const WordRange& a, const WordRange& by, const StreamType& type) {
    const bool known = by.low == by.high && by.low < atomBits(type) && a.low >= 0;
    if (!known)
        return a.low >= 0 && op == StreamOp::Lsr ? WordRange{0, a.high} : fullRange(type);
    if (op == StreamOp::Lsr)
        return {a.low >> by.low, a.high >> by.low};
    return orFull({a.low << by.low, a.high << by.low}, type);
}

/// By a number that may be any the range is that of all of them.
WordRange signedShiftRange(const WordRange& a, const WordRange& by) {
    constexpr std::int64_t kMost = 63;
    const auto least = std::min(by.low, kMost);
    const auto most = std::min(by.high, kMost);
    return {a.low >> (a.low < 0 ? least : most), a.high >> (a.high < 0 ? most : least)};
}

/// The least numbers of n bits that hold both ranges; with a sign where one has.
WordRange bitwiseRange(const WordRange& a, const WordRange& b) {
    const std::int64_t far =
        std::max({a.high, b.high, -std::min(a.low, b.low) - 1, std::int64_t{0}});
    const auto above =
        static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(far) + 1));
    return {a.low < 0 || b.low < 0 ? -above : 0, above - 1};
}

WordRange andRange(const WordRange& a, const WordRange& b) {
    if (a.low >= 0 || b.low >= 0)
        return {0, a.low < 0 ? b.high : b.low < 0 ? a.high : std::min(a.high, b.high)};
    return bitwiseRange(a, b);
}

WordRange bitsRange(StreamOp op, const WordRange& a, const WordRange& b, const StreamType& type) {
    if (op == StreamOp::Xor || atomBits(type) > 1)
        return op == StreamOp::And ? andRange(a, b) : bitwiseRange(a, b);
    return op == StreamOp::And ? WordRange{std::min(a.low, b.low), std::min(a.high, b.high)}
                               : WordRange{std::max(a.low, b.low), std::max(a.high, b.high)};
}

WordRange complement(const WordRange& a, const StreamType& type) {
    const WordRange full = fullRange(type);
    return {full.low + full.high - a.high, full.low + full.high - a.low};
}

/// Of operators that look at a word as at its bits.
WordRange ofBits(StreamOp op, const WordRange& a, const WordRange& b, const StreamType& type) {
    switch (op) {
    case StreamOp::Not:
        return complement(a, type);
    case StreamOp::And:
    case StreamOp::Or:
    case StreamOp::Xor:
        return bitsRange(op, a, b, type);
    case StreamOp::Asr:
        return signedShiftRange(a, b);
    default:
        return isCast(op) ? orFull(a, type) : fullRange(type);
    }
}

} // namespace

WordRange resultRange(StreamOp op, const StreamType& type, std::span<const WordRange> operands) {
    const auto of = [&](std::size_t k) { return operands[k]; };
    switch (op) {
    case StreamOp::Add:
        return orFull({of(0).low + of(1).low, of(0).high + of(1).high}, type);
    case StreamOp::Sub:
        return orFull({of(0).low - of(1).high, of(0).high - of(1).low}, type);
    case StreamOp::Mul:
        return orFull(productRange(of(0), of(1)), type);
    case StreamOp::Div:
        return orFull({(of(0).low * of(1).low) >> 7, (of(0).high * of(1).high) >> 7}, type);
    case StreamOp::Abs: {
        const WordRange full = fullRange(type);
        const std::int64_t most = std::max(-of(0).low, of(0).high);
        const bool both = of(0).low <= 0 && of(0).high >= 0;
        const std::int64_t least = both ? 0 : std::min(std::abs(of(0).low), std::abs(of(0).high));
        return most > full.high ? full : WordRange{least, most};
    }
    case StreamOp::Lsr:
    case StreamOp::Lsl:
        return shiftRange(op, of(0), of(1), type);
    case StreamOp::Lt:
    case StreamOp::Eq:
        return comparisonRange(op, of(0), of(1));
    case StreamOp::Min:
        return {std::min(of(0).low, of(1).low), std::min(of(0).high, of(1).high)};
    case StreamOp::Max:
        return {std::max(of(0).low, of(1).low), std::max(of(0).high, of(1).high)};
    case StreamOp::If:
        return covering(of(1), of(2));
    default:
        return ofBits(op, of(0), operands.back(), type);
    }
}

WordRange tableRange(const StreamTable& table, const WordRange& index) {
    const auto last = static_cast<std::int64_t>(table.words.size()) - 1;
    WordRange range{table.at(std::clamp<std::int64_t>(index.low, 0, last)), 0};
    range.high = range.low;
    for (std::int64_t k = std::max<std::int64_t>(index.low, 0); k <= std::min(index.high, last);
         ++k)
        range = covering(range, {table.at(k), table.at(k)});
    return range;
}

namespace {

/// What an expression is made of is looked at as far as this.
constexpr int kMostRangedDepth = 64;
constexpr std::size_t kMostRangedNodes = 1024;

class GraphRanges {
public:
    explicit GraphRanges(const StreamGraph& graph) : graph_(graph) {}

    WordRange of(StreamNodeId id, int depth) {
        const StreamNode& node = graph_.node(id);
        const WordRange full = fullRange(node.type);
        if (const auto known = known_.find(id); known != known_.end())
            return known->second;
        if (depth == kMostRangedDepth || known_.size() >= kMostRangedNodes)
            return full;
        const WordRange found = computed(node, depth + 1).value_or(full);
        return known_[id] = found;
    }

private:
    std::optional<WordRange> computed(const StreamNode& node, int depth) {
        if (node.op == StreamOp::Const)
            return WordRange{node.literal[0], node.literal[0]};
        const bool isWords = info(node.op).scalar != nullptr || node.op == StreamOp::If;
        if (!isWords && node.op != StreamOp::Lookup)
            return std::nullopt;
        std::vector<WordRange> operands;
        for (const StreamNodeId operand : node.operands)
            operands.push_back(of(operand, depth));
        return node.table ? tableRange(*node.table, operands[0])
                          : resultRange(node.op, node.type, operands);
    }

    const StreamGraph& graph_;
    std::map<StreamNodeId, WordRange> known_;
};

} // namespace

WordRange wordRange(const StreamGraph& graph, StreamNodeId word) {
    return GraphRanges(graph).of(word, 0);
}

} // namespace marquetry::ir
