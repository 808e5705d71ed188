// From a stream program to terms (terms.h): each value becomes streams of single words, as far as
// possible.
//
// This is possible for a value under two conditions. Its outer layers of Seq are those of the input
// from which it is computed, element by element. And its inner elements exist side by side, as
// those of an STuple, of tuple_to_seq or of a constant do. A function that is mapped over such
// inner elements is written out once for each of them, and a reduce over them becomes a tree.
// Partitions of the outer layers are views of the same stream.
//
// Other values stay opaque: they are computed as the program says. These are products of two values
// inside a function that would be written out (they may share a multiplier in time), operators that
// change the number of elements, windows of more than kMostLanes elements and, without the rewrite
// `windows`, all inner sequences.
//
// Complexity: linear in the nodes with the functions written out. Thread rule: pure.
#pragma once

#include "engine/algebra/terms.h"

#include <optional>

namespace marquetry::algebra {

inline constexpr std::int64_t kMostLanes = 512;

/// What a source stands for: leaf `leaf` of a value.
struct LeafSource {
    ir::StreamNodeId node;                           ///< of the graph; or none:
    std::shared_ptr<const ir::StreamNode> generator; ///< a constant or counter of a sequence
    std::int64_t repeats = 1;                        ///< generator: so often, one after the other
    std::size_t leaf = 0;
};

/// A value as terms, one for each leaf inside the outer layers, in their order.
struct FlatValue {
    ir::StreamType type;
    int layers = 0; ///< outer ones of Seq: the stream's own
    std::vector<TermId> leaves;
};

struct FlatGraph {
    const ir::StreamGraph* graph = nullptr;
    Terms terms;
    std::vector<LeafSource> sources;
    std::vector<std::optional<FlatValue>> values; ///< by node; none: opaque without leaves
    std::vector<bool> opaque;                     ///< by node: computed as it is
};

FlatGraph flattened(const ir::StreamGraph& graph, Rewrites rewrites);

} // namespace marquetry::algebra
