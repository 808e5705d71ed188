#include "engine/term_extract/build.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace marquetry::term_extract {

namespace {

template <class Graph>
EGraphProblem build(const Graph& graph, std::span<const egraph::EClassId> roots,
                    const CostFunction& cost) {
    EGraphProblem result;
    SelectionProblem& problem = result.problem;
    const auto eclasses = graph.eclasses();
    result.eclass.assign(eclasses.begin(), eclasses.end());
    result.enode.reserve(graph.enodeCount());
    problem.cost.reserve(graph.enodeCount());
    problem.childBegin.reserve(graph.enodeCount() + 1);
    problem.nodeBegin.reserve(eclasses.size() + 1);
    std::vector<ClassIndex> indexOf(graph.totalEnodes(), kNone); // a class id is a node id
    for (ClassIndex c = 0; c < result.eclass.size(); ++c)
        indexOf[result.eclass[c].index()] = c;
    for (const egraph::EClassId id : result.eclass) {
        problem.addClass();
        for (const egraph::ENodeId n : graph.enodes(id)) {
            result.enode.push_back(n);
            problem.cost.push_back(cost(n));
            for (const egraph::EClassId child : graph.children(n))
                problem.child.push_back(indexOf[child.index()]);
            problem.childBegin.push_back(static_cast<std::uint32_t>(problem.child.size()));
        }
        problem.nodeBegin.back() = static_cast<std::uint32_t>(problem.cost.size());
    }
    for (const egraph::EClassId root : roots)
        problem.roots.push_back(indexOf[graph.find(root).index()]);
    return result;
}

Diagnostics costErrors(const egraph::SerializedGraph& graph) {
    Diagnostics errors;
    for (const egraph::SerializedNode& node : graph.nodes)
        if (!std::isfinite(node.cost))
            errors.push_back(makeError(
                "extract-bad-cost", "the cost of the node '" + node.id + "' is not a finite number",
                "leave nodes that must not be chosen out, or mark them \"subsumed\""));
    return errors;
}

} // namespace

EGraphProblem problemOf(const egraph::EGraph& egraph, std::span<const egraph::EClassId> roots,
                        const CostFunction& cost) {
    return build(egraph, roots, cost);
}

EGraphProblem problemOf(const egraph::FrozenEGraph& egraph, std::span<const egraph::EClassId> roots,
                        const CostFunction& cost) {
    return build(egraph, roots, cost);
}

Result<FileProblem> problemOf(const egraph::SerializedGraph& graph) {
    Diagnostics errors = costErrors(graph);
    if (graph.roots.empty())
        errors.push_back(makeError("extract-no-roots", "the file names no root e-class",
                                   "list the classes to extract in \"root_eclasses\""));
    if (!errors.empty())
        return errors;
    FileProblem result;
    std::map<std::string_view, ClassIndex> index;
    std::vector<ClassIndex> classOf;
    std::vector<std::vector<std::size_t>> members;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const auto [at, fresh] = index.emplace(graph.nodes[i].eclass, index.size());
        if (fresh) {
            result.eclass.push_back(graph.nodes[i].eclass);
            members.emplace_back();
        }
        classOf.push_back(at->second);
        if (!graph.nodes[i].subsumed)
            members[at->second].push_back(i);
    }
    std::vector<ClassIndex> children;
    for (const std::vector<std::size_t>& nodes : members) {
        result.problem.addClass();
        for (const std::size_t i : nodes) {
            children.clear();
            for (const std::size_t child : graph.nodes[i].children)
                children.push_back(classOf[child]);
            result.problem.addNode(graph.nodes[i].cost, children);
            result.node.push_back(i);
        }
    }
    const std::vector<std::uint8_t> grounded = groundedClasses(result.problem);
    for (const std::string& root : graph.roots) {
        const ClassIndex c = index.at(root);
        result.problem.roots.push_back(c);
        if (!grounded[c])
            errors.push_back(makeError(
                "extract-no-term", "the root e-class '" + root + "' has no finite term",
                "every node of it needs the class itself or a class without usable nodes"));
    }
    if (!errors.empty())
        return errors;
    return result;
}

} // namespace marquetry::term_extract
