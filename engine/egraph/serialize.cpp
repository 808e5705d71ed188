#include "engine/egraph/serialize.h"

#include <nlohmann/json.hpp>

namespace marquetry::egraph {

namespace {

using Json = nlohmann::ordered_json; // written in the order given

std::string nodeName(ENodeId n) {
    return "n" + std::to_string(n.value());
}

std::string className(EClassId c) {
    return "c" + std::to_string(c.value());
}

std::string label(const EGraph& egraph, ENodeId n) {
    std::string text = egraph.language().name(egraph.op(n));
    const ParamSpan params = egraph.params(n);
    for (std::size_t i = 0; i < params.size(); ++i)
        text += (i == 0 ? "[" : ",") + std::to_string(params[i]);
    return params.empty() ? text : text + "]";
}

std::vector<ENodeId> liveNodes(const EGraph& egraph) {
    std::vector<ENodeId> nodes;
    for (std::size_t i = 0; i < egraph.totalEnodes(); ++i)
        if (egraph.live(ENodeId{i}))
            nodes.push_back(ENodeId{i});
    return nodes;
}

std::string dotEscape(const std::string& text) {
    std::string out;
    for (char c : text) {
        if (c == '"' || c == '\\')
            out += '\\';
        out += c;
    }
    return out;
}

} // namespace

std::string exportJson(const EGraph& egraph, std::span<const EClassId> roots) {
    ENGINE_ASSERT(egraph.clean(), "a rebuilt e-graph is exported");
    Json nodes = Json::object();
    // Keys are distinct, so append without the linear duplicate search of ordered_json.
    auto& object = nodes.get_ref<Json::object_t&>();
    for (ENodeId n : liveNodes(egraph)) {
        Json children = Json::array();
        for (EClassId child : egraph.children(n))
            children.push_back(nodeName(egraph.enodes(child).front()));
        Json node;
        node["op"] = label(egraph, n);
        node["children"] = std::move(children);
        node["eclass"] = className(egraph.eclassOf(n));
        node["cost"] = 1.0;
        object.push_back({nodeName(n), std::move(node)});
    }
    Json rootNames = Json::array();
    for (EClassId root : roots)
        rootNames.push_back(className(egraph.find(root)));
    Json document;
    document["nodes"] = std::move(nodes);
    document["root_eclasses"] = std::move(rootNames);
    document["class_data"] = Json::object();
    return document.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string exportDot(const EGraph& egraph) {
    ENGINE_ASSERT(egraph.clean(), "a rebuilt e-graph is exported");
    std::string out = "digraph egraph {\n  compound=true;\n  node [shape=box];\n";
    for (EClassId id : egraph.eclasses()) {
        out += "  subgraph cluster_" + className(id) + " {\n    style=dashed;\n";
        for (ENodeId n : egraph.enodes(id))
            out += "    " + nodeName(n) + " [label=\"" + dotEscape(label(egraph, n)) + "\"];\n";
        out += "  }\n";
    }
    for (ENodeId n : liveNodes(egraph))
        for (EClassId child : egraph.children(n))
            out += "  " + nodeName(n) + " -> " + nodeName(egraph.enodes(child).front()) +
                   " [lhead=cluster_" + className(child) + "];\n";
    return out + "}\n";
}

} // namespace marquetry::egraph
