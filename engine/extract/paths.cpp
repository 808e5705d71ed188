#include "engine/extract/paths.h"

#include <algorithm>

namespace marquetry::extract {

namespace {

/// By class: its shape, with the fewest columns that any class above it has. A unit has products
/// for the columns of the class it is called from, which pads may be below.
std::vector<ir::UnitShape> narrowestShapes(const UnitGraph& graph) {
    std::vector<ir::UnitShape> shapes;
    std::vector<int> queue;
    for (const UnitClass& eclass : graph.classes) {
        queue.push_back(static_cast<int>(shapes.size()));
        shapes.push_back(eclass.shape);
    }
    while (!queue.empty()) {
        const auto above = static_cast<std::size_t>(queue.back());
        queue.pop_back();
        for (const UnitNode& node : graph.classes[above].nodes) {
            if (node.child < 0)
                continue;
            std::int64_t& cols = shapes[static_cast<std::size_t>(node.child)].cols;
            if (cols <= shapes[above].cols)
                continue;
            cols = shapes[above].cols;
            queue.push_back(node.child);
        }
    }
    return shapes;
}

} // namespace

Paths::Paths(const UnitGraph& graph, const TermCost& cost, const PinBits& pins, double dspLimit)
    : graph_(graph),
      cost_(cost),
      pins_(pins),
      dspLimit_(dspLimit),
      narrowest_(narrowestShapes(graph)),
      sets_(graph.classes.size()),
      alike_(graph.classes.size()) {}

std::uint32_t Paths::pinBits(int eclass, int node) const {
    if (pins_.empty())
        return 0;
    return pins_[static_cast<std::size_t>(eclass)][static_cast<std::size_t>(node)];
}

Paths::Compared Paths::comparedBy(const PathCost& cost) {
    if (!cost.comparesRows)
        return {cost.pins, 0, 0};
    return {cost.pins, cost.parallel, cost.pixelParallel};
}

bool Paths::insert(Path path) {
    if (cost_.productsDsp(path.cost, narrowest_[static_cast<std::size_t>(path.eclass)]) > dspLimit_)
        return false;
    std::vector<int>& set = sets_[static_cast<std::size_t>(path.eclass)];
    std::vector<int>& alike = alike_[static_cast<std::size_t>(path.eclass)][comparedBy(path.cost)];
    for (int other : alike)
        if (dominates(this->path(other).cost, path.cost))
            return false;
    const auto worse = [&](int other) { return dominates(path.cost, this->path(other).cost); };
    if (std::ranges::any_of(alike, worse)) {
        std::erase_if(set, worse);
        std::erase_if(alike, worse);
    }
    const int index = static_cast<int>(arena_.size());
    alike.push_back(index);
    arena_.push_back(path);
    set.push_back(index);
    queue_.push_back(index);
    return true;
}

void Paths::drain(std::stop_token stop) {
    for (std::size_t next = 0; next < queue_.size(); ++next) {
        if (next % 1024 == 0 && stop.stop_requested())
            break;
        const int index = queue_[next];
        const Path inner = path(index);
        const std::vector<int>& set = sets_[static_cast<std::size_t>(inner.eclass)];
        if (std::ranges::find(set, index) == set.end())
            continue; // dominated since it was queued
        for (const ParentEdge& edge :
             graph_.classes[static_cast<std::size_t>(inner.eclass)].parents) {
            const UnitClass& parent = graph_.classes[static_cast<std::size_t>(edge.eclass)];
            const auto cost = cost_.wrap(graph_.node(edge), parent.shape, inner.cost);
            if (!cost)
                continue;
            Path outer{*cost, edge.eclass, edge.node, index};
            outer.cost.pins |= pinBits(edge.eclass, edge.node);
            insert(outer);
        }
    }
    queue_.clear();
}

void Paths::growFromLeaves(std::stop_token stop) {
    for (std::size_t c = 0; c < graph_.classes.size(); ++c)
        for (std::size_t n = 0; n < graph_.classes[c].nodes.size(); ++n) {
            const UnitNode& node = graph_.classes[c].nodes[n];
            if (node.child >= 0 || !cost_.exists(node))
                continue;
            const int eclass = static_cast<int>(c);
            const int index = static_cast<int>(n);
            Path leaf{cost_.leaf(node, graph_.classes[c].shape), eclass, index, -1};
            leaf.cost.pins = pinBits(eclass, index);
            insert(leaf);
        }
    drain(stop);
}

std::vector<ParentEdge> Paths::chain(int index) const {
    std::vector<ParentEdge> edges;
    for (int at = index; at >= 0; at = path(at).inner)
        edges.push_back({path(at).eclass, path(at).node});
    return edges;
}

} // namespace marquetry::extract
