#include "engine/spacetime/circuit_text.h"

#include "engine/spacetime/typing.h"
#include "engine/support/assert.h"

#include <map>

namespace marquetry::spacetime {

namespace {

class Text {
public:
    std::string write(const Graph& graph) && {
        add(graph, "");
        return std::move(text_);
    }

private:
    void add(const Graph& graph, const std::string& indent) {
        const auto types = check(graph);
        ENGINE_ASSERT(types.has_value(), "only well-typed programs are written");
        for (std::size_t k = 0; k < graph.nodes.size(); ++k) {
            const Node& node = graph.nodes[k];
            text_ += indent + "%" + std::to_string(k) + " = " + toString(node);
            for (const NodeId operand : node.operands)
                text_ += " %" + std::to_string(operand.value());
            for (std::size_t word = 0; word < node.literal.size(); ++word)
                text_ += (word == 0 ? " [" : ", ") + std::to_string(node.literal[word]);
            text_ += (node.literal.empty() ? "" : "]");
            text_ += " : " + toString((*types)[k]) + "\n";
            if (node.function)
                addFunction(node, indent + "    ");
        }
        text_ += indent + "-> %" + std::to_string(graph.output.value()) + "\n";
    }

    void addFunction(const Node& node, const std::string& indent) {
        const auto [known, fresh] = functions_.try_emplace(node.function.get(), functions_.size());
        const std::string name = "f" + std::to_string(known->second);
        text_ += indent + (fresh ? name + " =" : "as " + name) + "\n";
        if (fresh)
            add(*node.function, indent);
    }

    std::string text_;
    std::map<const Graph*, std::size_t> functions_;
};

} // namespace

std::string toText(const Graph& circuit) {
    return Text().write(circuit);
}

} // namespace marquetry::spacetime
