// StreamProgram: one checked `stream` item, an L_seq program, as a graph of typed nodes.
//
// Node k only refers to nodes before it. The function of a map, reduce or scan is a graph of its
// own with one output: functions are closed, so nothing crosses its border but its inputs. A
// function is typed at each use; uses are separate graphs. Thread rule: immutable once made.
#pragma once

#include "engine/ir/stream_op.h"
#include "engine/ir/stream_table.h"
#include "engine/support/strong_id.h"

#include <memory>
#include <string>
#include <vector>

namespace marquetry::ir {

using StreamNodeId = StrongId<struct StreamNodeTag>;

struct StreamGraph;

struct StreamNode {
    StreamOp op = StreamOp::Input;
    std::string name; ///< the user's, or empty for an inner expression
    StreamType type;
    std::vector<StreamNodeId> operands{};
    StreamParams params{};
    /// Const: words(type) words; Scan: those of the state before the first element.
    std::vector<std::int64_t> literal{};
    std::shared_ptr<const StreamGraph>
        function{};         ///< Map, Map2, Reduce, Scan: of state and element
    StreamTablePtr table{}; ///< Lookup
    SourceRange place{};
};

struct StreamOutput {
    std::string name;
    StreamNodeId node;
};

struct StreamGraph {
    std::vector<StreamNode> nodes;
    std::vector<StreamNodeId> inputs;
    std::vector<StreamOutput> outputs;

    const StreamNode& node(StreamNodeId id) const { return nodes[id.index()]; }
};

struct StreamProgram {
    std::string name;
    std::string file; ///< of the .mq file, for messages; may be empty
    StreamGraph graph;
};

/// Evaluations of `mul` in one run of the program: its multiply–accumulates, at most INT64_MAX.
std::int64_t multiplications(const StreamGraph& graph);

} // namespace marquetry::ir
