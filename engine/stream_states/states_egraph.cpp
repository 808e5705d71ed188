#include "engine/stream_states/states_egraph.h"

#include "engine/spacetime/area.h"
#include "engine/support/json.h"

#include <cmath>

namespace marquetry::stream_states {

namespace {

constexpr double kMillion = 1e6;
constexpr const char* kOutput = "output";

std::string className(std::size_t k) {
    return "c" + std::to_string(k);
}

} // namespace

egraph::SerializedGraph serialize(const spacetime::StateGraph& states,
                                  const device::Device& device) {
    egraph::SerializedGraph graph;
    std::vector<std::size_t> firstNode(states.classes.size(), 0);
    std::vector<std::string> chosen(states.classes.size());
    for (std::size_t k = states.ways.size(); k-- > 0;)
        firstNode[states.ways[k].ofClass] = k;
    for (std::size_t k = 0; k < states.ways.size(); ++k) {
        const spacetime::StateWay& way = states.ways[k];
        const std::string type = toString(states.classes[way.ofClass].type);
        egraph::SerializedNode node{
            "n" + std::to_string(k), way.op + " [" + type + "]", className(way.ofClass), {}};
        for (const std::size_t operand : way.operands)
            node.children.push_back(firstNode[operand]);
        node.cost = std::max(0.0, kMillion * spacetime::sumOfFractions(way.area, device));
        if (way.chosen)
            chosen[way.ofClass] = node.id;
        graph.nodes.push_back(std::move(node));
    }
    for (const std::size_t root : states.roots) {
        const std::string id = "n" + std::to_string(graph.nodes.size());
        graph.nodes.push_back({id, "output", kOutput, {firstNode[root]}, 0});
        if (states.chosenRoot == root)
            graph.classData.emplace_back(kOutput, nlohmann::ordered_json{{"chosen", id}}.dump());
    }
    graph.roots.emplace_back(kOutput);
    for (std::size_t k = 0; k < states.classes.size(); ++k) {
        nlohmann::ordered_json data;
        data["value"] = states.classes[k].value.value();
        data["type"] = toString(states.classes[k].type);
        if (!chosen[k].empty())
            data["chosen"] = chosen[k];
        graph.classData.emplace_back(className(k), data.dump());
    }
    return graph;
}

} // namespace marquetry::stream_states
