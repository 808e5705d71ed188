// Pareto sets of paths: all undominated ways from a unit class down to a leaf or an outlined unit.
//
// Paths live in one arena and refer to their inner part by index, so a path's parts are made before
// it. No chain passes a class twice: that could only cost more, unless a pinned term lies on the
// way round. So with pins two chains compare only if the better one does not bar more of the
// classes where pinned loops and pads begin, or where calls begin (64 of them at most are told
// apart).
// Complexity: O(edges · |set|²). Cancel: the search stops early and `complete` is false.
// Thread rule: a Paths object belongs to one thread.
#pragma once

#include "engine/extract/term_cost.h"

#include <stop_token>
#include <vector>

namespace marquetry::extract {

struct Path {
    PathCost cost;
    int eclass = 0;
    int node = -1;  ///< −1: the use of an outlined unit (a seed)
    int inner = -1; ///< the path below; −1 at leaves and seeds
};

/// Bit k of PathCost::pins is set by these e-nodes.
using PinBits = std::vector<std::vector<std::uint32_t>>; ///< [class][node] → bits; empty: no pins

class Paths {
public:
    /// Paths that need more than `dspLimit` are left out.
    Paths(const UnitGraph& graph, const TermCost& cost, const PinBits& pins, double dspLimit);

    /// Private paths: from every leaf upwards.
    void growFromLeaves(std::stop_token stop);
    /// Paths that end in the use of `eclass` outlined with this body; classes above it only.
    void growFromUse(int eclass, const PathCost& body, std::stop_token stop);

    const std::vector<int>& set(int eclass) const {
        return sets_[static_cast<std::size_t>(eclass)];
    }
    /// Edges followed so far: what the growing cost.
    std::size_t steps() const { return steps_; }
    const Path& path(int index) const { return arena_[static_cast<std::size_t>(index)]; }
    /// Nodes from the outermost term inwards, as (class, node); a use ends the list.
    std::vector<ParentEdge> chain(int index) const;

private:
    bool insert(Path path);
    bool passes(int index, int eclass) const;
    void drain(std::stop_token stop);
    void mark(int eclass);
    std::uint32_t pinBits(int eclass, int node) const;

    const UnitGraph& graph_;
    const TermCost& cost_;
    const PinBits& pins_;
    double dspLimit_;
    std::vector<Path> arena_;
    std::vector<std::vector<int>> sets_;
    std::vector<int> queue_;
    std::vector<std::uint64_t> marks_; ///< by class; empty without pins
    int nextMark_ = 0;
    std::size_t steps_ = 0;
};

} // namespace marquetry::extract
