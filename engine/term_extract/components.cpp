#include "engine/term_extract/components.h"

#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/strong_components.hpp>

namespace marquetry::term_extract {

namespace {

using Graph =
    boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, boost::no_property,
                                       boost::no_property, std::uint32_t, std::uint32_t>;

} // namespace

Components strongComponents(const SelectionProblem& problem) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
    edges.reserve(problem.child.size());
    for (ClassIndex c = 0; c < problem.classCount(); ++c)
        for (std::uint32_t k = problem.childBegin[problem.nodeBegin[c]];
             k < problem.childBegin[problem.nodeBegin[c + 1]]; ++k)
            edges.emplace_back(c, problem.child[k]);
    const Graph graph(boost::edges_are_sorted, edges.begin(), edges.end(),
                      static_cast<std::uint32_t>(problem.classCount()));
    Components result;
    result.of.resize(problem.classCount());
    const auto index = boost::get(boost::vertex_index, graph);
    const auto count = boost::strong_components(
        graph, boost::make_iterator_property_map(result.of.begin(), index));
    result.classes.resize(count);
    result.cyclic.resize(count);
    for (ClassIndex c = 0; c < problem.classCount(); ++c)
        result.classes[result.of[c]].push_back(c);
    for (const auto& [from, to] : edges)
        if (result.of[from] == result.of[to])
            result.cyclic[result.of[from]] = 1;
    return result;
}

} // namespace marquetry::term_extract
