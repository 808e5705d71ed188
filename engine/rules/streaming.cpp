#include "engine/rules/streaming.h"

#include "engine/ir/stream_interpreter.h"
#include "engine/support/assert.h"
#include "engine/support/checked_math.h"

#include <algorithm>
#include <bit>

namespace marquetry::rules {

namespace {

using egraph::Pattern;
using egraph::PatternNode;

std::uint32_t add(Pattern& pattern, PatternNode node) {
    pattern.nodes.push_back(std::move(node));
    return static_cast<std::uint32_t>(pattern.nodes.size() - 1);
}

std::uint32_t variable(Pattern& pattern, const char* name) {
    PatternNode node;
    node.isVar = true;
    node.var = egraph::VarId{pattern.classVars.size()};
    pattern.classVars.emplace_back(name);
    pattern.classVarSorts.emplace_back();
    return add(pattern, std::move(node));
}

std::uint32_t operation(Pattern& pattern, egraph::OpId op, std::vector<std::uint32_t> children) {
    PatternNode node;
    node.op = op;
    node.children = std::move(children);
    return add(pattern, std::move(node));
}

egraph::Rewrite streamRewrite(const Terms& terms, const StreamedCall& call,
                              const StreamUnit& unit) {
    egraph::Rewrite rewrite;
    rewrite.name = "R-STREAM";
    rewrite.group = "streams";
    Pattern left;
    const std::uint32_t body = variable(left, "u");
    const std::uint32_t weight = operation(left, call.weight, {});
    const std::uint32_t buffer = operation(left, terms.bufferBlockRam, {weight});
    const std::uint32_t image = variable(left, "s");
    operation(left, call.call, {body, buffer, image});
    Pattern right;
    right.classVars = left.classVars;
    right.classVarSorts = left.classVarSorts;
    const std::uint32_t stream = operation(right, unit.op, {});
    const std::uint32_t operand = add(right, left.nodes[image]);
    operation(right, call.streamed, {stream, operand});
    rewrite.lhs = std::move(left);
    rewrite.rhs = std::make_shared<const Pattern>(std::move(right));
    return rewrite;
}

} // namespace

std::optional<ir::ConvStream> streamable(const ir::Program& program, const ir::Layer& layer,
                                         std::int64_t lanes) {
    const auto conv = ir::convStreamOf(program, layer);
    const bool fits = conv && conv->channels <= lanes && conv->rows <= lanes &&
                      !streamUnits(conv->rows, lanes).empty();
    return fits ? conv : std::nullopt;
}

std::vector<StreamUnit> streamUnits(std::int64_t rows, std::int64_t lanes) {
    std::vector<StreamUnit> units;
    auto parallel = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(rows)));
    for (; parallel >= 1; parallel /= 2) {
        const std::int64_t interval = ceilDiv(rows, parallel);
        const bool other = units.empty() || units.back().interval != interval;
        if (parallel <= lanes && interval <= kMaxStreamInterval && other)
            units.push_back({{}, interval, parallel});
    }
    return units;
}

std::vector<egraph::Rewrite> streamRewrites(const Terms& terms,
                                            const std::vector<StreamedCall>& calls) {
    std::vector<egraph::Rewrite> rewrites;
    for (const StreamedCall& call : calls)
        for (const StreamUnit& unit : call.units)
            rewrites.push_back(streamRewrite(terms, call, unit));
    return rewrites;
}

ir::Tensor denoteStream(const ir::ConvStream& conv, const UnitOperands& operands) {
    const ir::StreamProgram program = ir::convStreamProgram(conv, operands.weight);
    const ir::StreamType type = program.graph.node(program.graph.inputs[0]).type;
    std::map<std::string, ir::StreamData> inputs;
    for (std::int64_t c = 0; c < conv.channels; ++c) {
        ir::StreamData& channel = inputs["x" + std::to_string(c)];
        channel = {type,
                   std::vector<std::int64_t>(static_cast<std::size_t>(words(type)), conv.offset())};
        for (std::int64_t y = 0; y < conv.height; ++y)
            for (std::int64_t x = 0; x < conv.width; ++x)
                channel.words[static_cast<std::size_t>((y + conv.pad) * conv.paddedWidth() + x +
                                                       conv.pad)] +=
                    operands.data
                        .data[static_cast<std::size_t>((y * conv.width + x) * conv.channels + c)];
    }
    const auto outputs = ir::interpret(program, inputs);
    ENGINE_ASSERT(outputs.has_value(), "the operands are those of the convolution");
    const std::int64_t height = (conv.paddedHeight() - conv.kernel) / conv.stride + 1;
    const std::int64_t width = (conv.paddedWidth() - conv.kernel) / conv.stride + 1;
    ir::Tensor result{{ir::Scalar::I32, {height, width, conv.rows}}, {}};
    for (std::int64_t y = 0; y < height; ++y)
        for (std::int64_t x = 0; x < width; ++x)
            for (const ir::StreamData& row : *outputs) {
                const std::int64_t last = (y * conv.stride + conv.kernel - 1) * conv.paddedWidth() +
                                          x * conv.stride + conv.kernel - 1;
                result.data.push_back(
                    static_cast<std::int32_t>(row.words[static_cast<std::size_t>(last)]));
            }
    return result;
}

} // namespace marquetry::rules
