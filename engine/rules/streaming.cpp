#include "engine/rules/streaming.h"

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

egraph::Rewrite streamRewrite(const TermLanguage& terms, const StreamedCall& call,
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

std::vector<egraph::Rewrite> streamRewrites(const TermLanguage& terms,
                                            const std::vector<StreamedCall>& calls) {
    std::vector<egraph::Rewrite> rewrites;
    for (const StreamedCall& call : calls)
        for (const StreamUnit& unit : call.units)
            rewrites.push_back(streamRewrite(terms, call, unit));
    return rewrites;
}

} // namespace marquetry::rules
