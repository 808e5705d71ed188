#include "engine/algebra/map_writer.h"

#include "engine/support/assert.h"

#include <algorithm>
#include <functional>

namespace marquetry::algebra {

using ir::StreamGraph;
using ir::StreamNode;
using ir::StreamNodeId;
using ir::StreamOp;
using ir::StreamType;

namespace {

StreamNodeId put(StreamGraph& graph, StreamNode node) {
    graph.nodes.push_back(std::move(node));
    return StreamNodeId(graph.nodes.size() - 1);
}

std::size_t leavesOf(const StreamType& atom) {
    return ir::leaves(atom).size();
}

} // namespace

StreamNodeId append(StreamGraph& graph, StreamOp op, std::vector<StreamNodeId> operands,
                    ir::StreamParams params, std::shared_ptr<const StreamGraph> function) {
    std::vector<StreamType> types;
    for (const StreamNodeId operand : operands)
        types.push_back(graph.node(operand).type);
    const StreamType* body = function ? &function->node(function->outputs[0].node).type : nullptr;
    const auto type = ir::info(op).type(types, params, body);
    ENGINE_ASSERT(type.has_value(), "terms have the types of their operators");
    StreamNode node{op, "", *type, std::move(operands), params};
    node.function = std::move(function);
    return put(graph, std::move(node));
}

StreamNodeId appendLookup(StreamGraph& graph, StreamNodeId index, ir::StreamTablePtr table) {
    StreamNode node{StreamOp::Lookup, "", table->element, {index}};
    node.table = std::move(table);
    return put(graph, std::move(node));
}

StreamNodeId appendInput(StreamGraph& graph, const StreamType& type) {
    const StreamNodeId id = put(graph, {StreamOp::Input, "", type});
    graph.inputs.push_back(id);
    return id;
}

StreamNodeId appendConstant(StreamGraph& graph, const StreamType& type,
                            std::vector<std::int64_t> words) {
    StreamNode node{StreamOp::Const, "", type};
    node.literal = std::move(words);
    return put(graph, std::move(node));
}

StreamNodeId appendLeaf(StreamGraph& graph, StreamNodeId atom, std::size_t leaf) {
    const StreamType type = graph.node(atom).type;
    if (!type.is(StreamType::Kind::Pair))
        return atom;
    const std::size_t first = leavesOf(type.parts[0]);
    return leaf < first ? appendLeaf(graph, append(graph, StreamOp::Fst, {atom}), leaf)
                        : appendLeaf(graph, append(graph, StreamOp::Snd, {atom}), leaf - first);
}

StreamNodeId appendPairs(StreamGraph& graph, StreamNodeId first, StreamNodeId second) {
    StreamGraph function;
    const StreamNodeId a = appendInput(function, graph.node(first).type.element());
    const StreamNodeId b = appendInput(function, graph.node(second).type.element());
    function.outputs.push_back({"", append(function, StreamOp::Tuple, {a, b})});
    return append(graph, StreamOp::Map2, {first, second}, {},
                  std::make_shared<StreamGraph>(std::move(function)));
}

Regions::Regions(const DataflowGraph& dataflow)
    : terms_(dataflow.terms), uses_(dataflow.terms.size(), 0) {
    const std::vector<bool> needed = neededBy(dataflow);
    for (std::size_t k = 0; k < terms_.size(); ++k) {
        if (!needed[k])
            continue;
        for (const TermId operand : terms_[TermId(k)].operands)
            ++uses_[operand.index()];
    }
    for (const TermId root : dataflow.roots)
        ++uses_[root.index()];
}

bool Regions::mayJoin(TermId id) const {
    const Term& term = terms_[id];
    return uses_[id.index()] == 1 && !term.operands.empty() && term.op != StreamOp::Shift;
}

namespace {

/// Those of `operands` that are streams and not there yet, in their order.
void appendStreams(const Terms& terms, const std::vector<TermId>& operands,
                   std::vector<TermId>& streams) {
    for (const TermId operand : operands) {
        if (terms[operand].length > 0 && std::ranges::find(streams, operand) == streams.end())
            streams.push_back(operand);
    }
}

} // namespace

KernelRegion Regions::regionOf(TermId result) const {
    KernelRegion region{result, {}};
    appendStreams(terms_, terms_[result].operands, region.inputs);
    for (bool joined = true; joined;) {
        joined = false;
        for (std::size_t k = 0; k < region.inputs.size() && !joined; ++k) {
            const TermId candidate = region.inputs[k];
            if (!mayJoin(candidate))
                continue;
            std::vector<TermId> inputs = region.inputs;
            inputs.erase(inputs.begin() + static_cast<std::ptrdiff_t>(k));
            appendStreams(terms_, terms_[candidate].operands, inputs);
            joined = inputs.size() <= std::max<std::size_t>(2, region.inputs.size());
            if (joined)
                region.inputs = std::move(inputs);
        }
    }
    return region;
}

StreamNodeId Regions::write(StreamGraph& graph, const KernelRegion& region,
                            const std::vector<StreamNodeId>& inputs) const {
    std::map<TermId, StreamNodeId> known;
    for (std::size_t k = 0; k < inputs.size(); ++k)
        known[region.inputs[k]] = inputs[k];
    const std::function<StreamNodeId(TermId)> written = [&](TermId id) {
        if (const auto found = known.find(id); found != known.end())
            return found->second;
        const Term& term = terms_[id];
        if (term.op == StreamOp::Const) {
            const std::int64_t word = term.number == ir::kUndefined ? 0 : term.number;
            return known[id] = appendConstant(graph, term.type, {word});
        }
        std::vector<StreamNodeId> operands;
        for (const TermId operand : term.operands)
            operands.push_back(written(operand));
        if (term.table)
            return known[id] = appendLookup(graph, operands[0], term.table);
        return known[id] = append(graph, term.op, std::move(operands));
    };
    return written(region.result);
}

} // namespace marquetry::algebra
