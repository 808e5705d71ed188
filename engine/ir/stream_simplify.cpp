#include "engine/ir/stream_simplify.h"

#include <map>

namespace marquetry::ir {

namespace {

/// Nodes and functions with equal texts mean the same.
class Sharing {
public:
    StreamGraph shared(const StreamGraph& graph) {
        const std::vector<bool> needed = neededOf(graph);
        StreamGraph result;
        std::map<std::string, StreamNodeId> known;
        std::vector<StreamNodeId> renamed(graph.nodes.size());
        for (std::size_t k = 0; k < graph.nodes.size(); ++k) {
            if (!needed[k] && graph.nodes[k].op != StreamOp::Input)
                continue;
            StreamNode node = graph.nodes[k];
            for (StreamNodeId& operand : node.operands)
                operand = renamed[operand.index()];
            if (node.function)
                node.function = function(*node.function);
            const bool isInput = node.op == StreamOp::Input;
            const std::string text = isInput ? "input " + std::to_string(k) : textOf(node);
            const auto [entry, fresh] = known.try_emplace(text, result.nodes.size());
            renamed[k] = entry->second;
            if (fresh)
                result.nodes.push_back(std::move(node));
        }
        for (const StreamNodeId input : graph.inputs)
            result.inputs.push_back(renamed[input.index()]);
        for (const StreamOutput& output : graph.outputs)
            result.outputs.push_back({output.name, renamed[output.node.index()]});
        return result;
    }

private:
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

    /// One graph for all functions that mean the same.
    std::shared_ptr<const StreamGraph> function(const StreamGraph& graph) {
        auto made = std::make_shared<StreamGraph>(shared(graph));
        std::string text;
        for (const StreamNode& node : made->nodes)
            text += textOf(node) + ";";
        for (const StreamNodeId input : made->inputs)
            text += " " + std::to_string(input.value());
        text += "->" + std::to_string(made->outputs[0].node.value());
        return functions_.try_emplace(std::move(text), std::move(made)).first->second;
    }

    static std::string textOf(const StreamNode& node) {
        std::string text(info(node.op).name);
        text += " " + std::to_string(node.params[0]) + " " + std::to_string(node.params[1]) + " " +
                toString(node.type);
        for (const StreamNodeId operand : node.operands)
            text += " @" + std::to_string(operand.value());
        for (const std::int64_t word : node.literal)
            text += " " + std::to_string(word);
        if (node.function)
            text += " f" + std::to_string(reinterpret_cast<std::uintptr_t>(node.function.get()));
        return text;
    }

    std::map<std::string, std::shared_ptr<const StreamGraph>> functions_;
};

} // namespace

StreamGraph withSharedValues(const StreamGraph& graph) {
    return Sharing().shared(graph);
}

} // namespace marquetry::ir
