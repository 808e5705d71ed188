// Pareto sets of paths: all ways from a unit class down to a leaf that no other way beats.
//
// Paths are stored in one array and refer to their inner part by index, so the parts of a path are
// made before it. A path may pass a class twice, where a pinned term or a parallel loop lies on the
// way round; all other ways round come back to their class as a path that is no better than its
// inner part, and are dropped.
// Complexity: O(edges · |set|²). Cancel: the search stops early and `complete` is false.
// Thread rule: a Paths object belongs to one thread.
#pragma once

#include "engine/extract/term_cost.h"

#include <map>
#include <stop_token>
#include <tuple>
#include <vector>

namespace marquetry::extract {

struct Path {
    PathCost cost;
    int eclass = 0;
    int node = -1;
    int inner = -1; ///< the path below; −1 at leaves
};

/// Bit k of PathCost::pins is set by these e-nodes.
using PinBits = std::vector<std::vector<std::uint32_t>>; ///< [class][node] → bits; empty: no pins

class Paths {
public:
    /// Paths that need more than `dspLimit` whatever class above them they are the unit of are left
    /// out.
    Paths(const UnitGraph& graph, const TermCost& cost, const PinBits& pins, double dspLimit);

    /// Private paths: from every leaf upwards.
    void growFromLeaves(std::stop_token stop);

    const std::vector<int>& set(int eclass) const {
        return sets_[static_cast<std::size_t>(eclass)];
    }
    const Path& path(int index) const { return arena_[static_cast<std::size_t>(index)]; }
    /// Nodes from the outermost term inwards, as (class, node).
    std::vector<ParentEdge> chain(int index) const;

private:
    /// Paths that differ in these never dominate one another.
    using Compared = std::tuple<std::uint32_t, std::int64_t, std::int64_t>;
    static Compared comparedBy(const PathCost& cost);

    bool insert(Path path);
    void drain(std::stop_token stop);
    std::uint32_t pinBits(int eclass, int node) const;

    const UnitGraph& graph_;
    const TermCost& cost_;
    const PinBits& pins_;
    double dspLimit_;
    std::vector<Path> arena_;
    std::vector<ir::UnitShape> narrowest_; ///< by class
    std::vector<std::vector<int>> sets_;
    std::vector<std::map<Compared, std::vector<int>>> alike_; ///< the sets, by what is compared
    std::vector<int> queue_;
};

} // namespace marquetry::extract
