#include "engine/egraph/serialize.h"

#include "engine/support/json.h"

#include <map>
#include <set>

namespace marquetry::egraph {

namespace {

using Json = nlohmann::json;

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

SerializedGraph serialize(const EGraph& egraph, std::span<const EClassId> roots) {
    ENGINE_ASSERT(egraph.clean(), "a rebuilt e-graph is exported");
    SerializedGraph graph;
    const std::vector<ENodeId> live = liveNodes(egraph);
    std::vector<std::size_t> indexOf(egraph.totalEnodes());
    for (std::size_t i = 0; i < live.size(); ++i)
        indexOf[live[i].index()] = i;
    for (ENodeId n : live) {
        SerializedNode node{nodeName(n), label(egraph, n), className(egraph.eclassOf(n)), {}};
        for (EClassId child : egraph.children(n))
            node.children.push_back(indexOf[egraph.enodes(child).front().index()]);
        graph.nodes.push_back(std::move(node));
    }
    for (EClassId root : roots)
        graph.roots.push_back(className(egraph.find(root)));
    return graph;
}

SerializedGraph serialize(const ImportedGraph& imported, const SerializedGraph& source) {
    const EGraph& egraph = imported.egraph;
    ENGINE_ASSERT(egraph.clean(), "a rebuilt e-graph is exported");
    SerializedGraph graph;
    graph.roots = source.roots;
    graph.classData = source.classData;
    std::map<EClassId, std::size_t> firstOf; // the file's first node of each class
    constexpr std::size_t kLeftOut = ~std::size_t{0};
    std::vector<std::size_t> indexOf(source.nodes.size(), kLeftOut);
    std::set<ENodeId> written;
    std::vector<std::size_t> kept;
    for (std::size_t i = 0; i < source.nodes.size(); ++i) {
        if (!imported.nodeOf[i].valid() || !written.insert(imported.nodeOf[i]).second)
            continue; // subsumed, or congruent to a node before it
        firstOf.emplace(egraph.eclassOf(imported.nodeOf[i]), i);
        indexOf[i] = kept.size();
        kept.push_back(i);
    }
    for (const std::size_t i : kept) {
        const ENodeId n = imported.nodeOf[i];
        const SerializedNode& named = source.nodes[i];
        const EClassId home = egraph.eclassOf(n);
        SerializedNode node{
            named.id, label(egraph, n), source.nodes[firstOf.at(home)].eclass, {}, named.cost};
        const ChildSpan children = egraph.children(n);
        for (std::size_t k = 0; k < children.size(); ++k) {
            // The file says which node stands for the class; any other of it would do as well.
            const std::size_t meant = named.children[k];
            node.children.push_back(
                indexOf[indexOf[meant] != kLeftOut ? meant : firstOf.at(children[k])]);
        }
        graph.nodes.push_back(std::move(node));
    }
    return graph;
}

std::string writeJson(const SerializedGraph& graph) {
    const auto quoted = [](const std::string& text) {
        return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
    };
    std::string out = "{\n \"nodes\": {";
    const char* separator = "\n";
    for (const SerializedNode& node : graph.nodes) {
        out += separator + ("  " + quoted(node.id)) + ": {\"op\": " + quoted(node.op) +
               ", \"children\": [";
        for (std::size_t k = 0; k < node.children.size(); ++k)
            out += (k == 0 ? "" : ", ") + quoted(graph.nodes[node.children[k]].id);
        out += "], \"eclass\": " + quoted(node.eclass) + ", \"cost\": " + Json(node.cost).dump();
        out += node.subsumed ? ", \"subsumed\": true}" : "}";
        separator = ",\n";
    }
    out += "\n },\n \"root_eclasses\": [";
    for (std::size_t k = 0; k < graph.roots.size(); ++k)
        out += (k == 0 ? "" : ", ") + quoted(graph.roots[k]);
    out += "],\n \"class_data\": {";
    for (std::size_t k = 0; k < graph.classData.size(); ++k)
        out += (k == 0 ? "\n  " : ",\n  ") + quoted(graph.classData[k].first) + ": " +
               graph.classData[k].second;
    return out + "}\n}\n";
}

std::string exportJson(const EGraph& egraph, std::span<const EClassId> roots) {
    return writeJson(serialize(egraph, roots));
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
