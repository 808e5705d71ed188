// How many terms a unit class holds, and drawing one of them uniformly (M1, M1′, M2 of
// background/engineir.md, "Counting designs").
//
// Every unit term is a chain, so N(class) is the sum of N(child) over its e-nodes, and a leaf
// counts 1. That number says how many terms the e-graph holds, not how many designs: ReLU[128] has
// 2187 terms, which are 36 pieces of hardware (metrics.h).
//
// Normal forms are chains without a For directly under a For on one axis, and without a Par
// directly under a Par (ForR and ParR alike). An automaton recognises them, and its state is part
// of a vertex of the graph of chains, so both counts are counts of paths in one graph.
//
// Where pads lead back to a class there are infinitely many terms. Then chains of at most K terms
// are counted, with K = twice the height of the highest unit as written (`maxHeight`).
//
// Complexity: O(heights · edges) additions of big integers; sampling O(height · e-nodes).
// Cancel: the counting stops early and complete() is false. Thread rule: value types.
#pragma once

#include "engine/extract/unit_graph.h"
#include "engine/support/rng.h"

#include <boost/multiprecision/cpp_int.hpp>

#include <stop_token>
#include <vector>

namespace marquetry::extract {

using BigInt = boost::multiprecision::cpp_int;

enum class Forms : std::uint8_t { All, Normal };

/// An e-node that may stand here, and the vertex of what is below it.
struct ChainEdge {
    int node = 0; ///< index in its class
    int to = -1;  ///< −1: a leaf
};

/// A unit class, under Normal together with the loop directly above it.
struct ChainVertex {
    int eclass = 0;
    std::vector<ChainEdge> edges;
};

struct ChainGraph {
    std::vector<ChainVertex> vertices; ///< those below the calls; children first unless cyclic
    std::vector<int> roots;            ///< vertex of each call, in order of execution
    bool cyclic = false;
    int maxHeight = 0; ///< terms of a chain: the most there are, or K
};

ChainGraph buildChains(const UnitGraph& graph, Forms forms);

class ChainCounts {
public:
    /// `chains` must outlive this object.
    explicit ChainCounts(const ChainGraph& chains, std::stop_token stop = {});

    bool complete() const { return complete_; }
    /// Chains from the vertex of at most maxHeight terms. Requires complete().
    const BigInt& count(int vertex) const;
    /// One call after another: the product over the calls.
    BigInt program() const;
    /// One of the count(vertex) chains, each as likely, outermost term first. Requires complete()
    /// and count(vertex) > 0.
    std::vector<ParentEdge> sample(int vertex, SplitMix64& rng) const;

private:
    const ChainGraph& chains_;
    std::vector<std::vector<BigInt>> byHeight_; ///< [most terms][vertex]
    bool complete_ = true;
};

} // namespace marquetry::extract
