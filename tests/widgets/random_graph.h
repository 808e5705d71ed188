// Random layered graphs of any size.
#pragma once

#include "widgets/graph_layout/layered_layout.h"

#include <algorithm>
#include <random>

namespace marquetry::widgets {

/// Edges lead down to one of the next 500 blocks.
inline LayeredGraph randomGraph(std::size_t blocks, std::size_t edges) {
    LayeredGraph graph;
    graph.sizes.assign(blocks, QSizeF(60, 20));
    std::mt19937 random(7);
    for (std::size_t k = 0; k < edges; ++k) {
        const auto a = static_cast<std::uint32_t>(random() % blocks);
        const auto reach = static_cast<std::uint32_t>(1 + random() % 500);
        graph.edges.emplace_back(
            a, std::min<std::uint32_t>(a + reach, static_cast<std::uint32_t>(blocks) - 1));
    }
    return graph;
}

} // namespace marquetry::widgets
