#include "engine/ir/stream_simplify.h"

#include <map>
#include <tuple>
#include <utility>

namespace marquetry::ir {

namespace {

/// What a node is, its operands, function and table by number; its name says nothing.
using NodeKey = std::tuple<StreamOp, StreamParams, StreamType, std::vector<StreamNodeId>,
                           std::vector<std::int64_t>, std::size_t, std::size_t>;
/// Nodes, inputs and output.
using FunctionKey = std::tuple<std::vector<NodeKey>, std::vector<StreamNodeId>, StreamNodeId>;

/// Nodes and functions with equal keys mean the same.
class Sharing {
public:
    StreamGraph shared(const StreamGraph& graph) { return share(graph).graph; }

private:
    struct Shared {
        StreamGraph graph;
        std::vector<NodeKey> keys; ///< by node
    };

    Shared share(const StreamGraph& graph) {
        const std::vector<bool> needed = neededOf(graph);
        Shared result;
        std::map<std::pair<NodeKey, std::size_t>, StreamNodeId> known; ///< inputs by place too
        std::vector<StreamNodeId> renamed(graph.nodes.size());
        for (std::size_t k = 0; k < graph.nodes.size(); ++k) {
            const bool isInput = graph.nodes[k].op == StreamOp::Input;
            if (!needed[k] && !isInput)
                continue;
            StreamNode node = graph.nodes[k];
            for (StreamNodeId& operand : node.operands)
                operand = renamed[operand.index()];
            const std::size_t function = node.function ? numberOf(*node.function) : 0;
            if (node.function)
                node.function = functions_[function - 1];
            const std::size_t table = node.table ? numberOf(node.table) : 0;
            NodeKey key{node.op,      node.params, node.type, node.operands,
                        node.literal, function,    table};
            const auto [entry, fresh] =
                known.try_emplace(std::pair(key, isInput ? k + 1 : 0), result.graph.nodes.size());
            renamed[k] = entry->second;
            if (fresh) {
                result.graph.nodes.push_back(std::move(node));
                result.keys.push_back(std::move(key));
            }
        }
        for (const StreamNodeId input : graph.inputs)
            result.graph.inputs.push_back(renamed[input.index()]);
        for (const StreamOutput& output : graph.outputs)
            result.graph.outputs.push_back({output.name, renamed[output.node.index()]});
        return result;
    }

    static std::vector<bool> neededOf(const StreamGraph& graph) {
        std::vector<bool> needed(graph.nodes.size(), false);
        for (const StreamOutput& output : graph.outputs)
            needed[output.node.index()] = true;
        for (std::size_t k = graph.nodes.size(); k-- > 0;) {
            for (const StreamNodeId operand : graph.nodes[k].operands)
                needed[operand.index()] = needed[operand.index()] || needed[k];
        }
        return needed;
    }

    /// From 1; functions that mean the same have one.
    std::size_t numberOf(const StreamGraph& function) {
        Shared made = share(function);
        FunctionKey key{std::move(made.keys), made.graph.inputs, made.graph.outputs[0].node};
        const auto [entry, fresh] = numbers_.try_emplace(std::move(key), functions_.size() + 1);
        if (fresh)
            functions_.push_back(std::make_shared<const StreamGraph>(std::move(made.graph)));
        return entry->second;
    }

    /// From 1; equal tables have one.
    std::size_t numberOf(const StreamTablePtr& table) {
        std::size_t number = 0;
        while (number < tables_.size() && *tables_[number] != *table)
            ++number;
        if (number == tables_.size())
            tables_.push_back(table);
        return number + 1;
    }

    std::map<FunctionKey, std::size_t> numbers_;
    std::vector<std::shared_ptr<const StreamGraph>> functions_; ///< by number
    std::vector<StreamTablePtr> tables_;                        ///< by number
};

} // namespace

StreamGraph withSharedValues(const StreamGraph& graph) {
    return Sharing().shared(graph);
}

} // namespace marquetry::ir
