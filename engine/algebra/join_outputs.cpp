#include "engine/algebra/join_outputs.h"

#include "engine/algebra/map_writer.h"

#include <optional>

namespace marquetry::algebra {

using ir::StreamGraph;
using ir::StreamNodeId;
using ir::StreamOp;
using ir::StreamType;
using Kind = StreamType::Kind;

namespace {

/// Whether both are atoms under layers of Seq of the same lengths.
bool matches(const StreamType& a, const StreamType& b) {
    if (a.is(Kind::Seq) && b.is(Kind::Seq))
        return a.length == b.length && matches(a.element(), b.element());
    return ir::isAtom(a) && ir::isAtom(b);
}

/// Pairs of the atoms of two values of matching types.
StreamNodeId joined(StreamGraph& graph, StreamNodeId a, StreamNodeId b) {
    if (!graph.node(a).type.is(Kind::Seq))
        return append(graph, StreamOp::Tuple, {a, b});
    StreamGraph function;
    const StreamNodeId first = appendInput(function, graph.node(a).type.element());
    const StreamNodeId second = appendInput(function, graph.node(b).type.element());
    function.outputs.push_back({"", joined(function, first, second)});
    return append(graph, StreamOp::Map2, {a, b}, {},
                  std::make_shared<StreamGraph>(std::move(function)));
}

} // namespace

namespace {

std::string described(const StreamGraph& graph, const ir::StreamOutput& output) {
    return "'" + output.name + "' : " + ir::toString(graph.node(output.node).type);
}

/// Why outputs cannot come together; nothing when they can.
std::optional<Diagnostic> whyApart(const StreamGraph& graph) {
    const ir::StreamOutput& last = graph.outputs.back();
    const StreamType& type = graph.node(last.node).type;
    if (!matches(type, type))
        return makeError("output-type",
                         "the output " + described(graph, last) + " is no sequence of atoms",
                         "tuple_to_seq makes a sequence of an STuple");
    for (const ir::StreamOutput& output : graph.outputs) {
        if (!matches(graph.node(output.node).type, type))
            return makeError(
                "several-outputs",
                "the outputs " + described(graph, output) + " and " + described(graph, last) +
                    " cannot come side by side",
                "outputs are scheduled together when they are sequences of the same lengths");
    }
    return std::nullopt;
}

} // namespace

Result<ir::StreamProgram> withJoinedOutputs(ir::StreamProgram program) {
    StreamGraph& graph = program.graph;
    if (graph.outputs.empty())
        return makeError("no-output", "stream '" + program.name + "' has no output");
    if (auto error = whyApart(graph)) {
        error->file = program.file;
        error->range = graph.node(graph.outputs.back().node).place;
        return Diagnostics{*error};
    }
    StreamNodeId all = graph.outputs.back().node;
    for (std::size_t k = graph.outputs.size() - 1; k-- > 0;)
        all = joined(graph, graph.outputs[k].node, all);
    graph.outputs = {{graph.outputs.back().name, all}};
    return program;
}

} // namespace marquetry::algebra
