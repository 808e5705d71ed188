// How much memory the interpreter of streams needs: the words of values that it holds at the same
// time, and the words that it computes in all.
//
// The interpreter goes through a graph in its order, drops a value after its last use, and works on
// the elements of a map in chunks. Outputs are kept to the end. Units: words (of 8 bytes).
// Complexity: linear in the graphs with their functions, each looked at once for each size of a
// chunk. Thread rule: pure.
#pragma once

#include "engine/ir/stream_program.h"

namespace marquetry::ir {

/// Larger counts are not told apart.
inline constexpr std::int64_t kMostWords = std::int64_t{1} << 60;

/// Uses of each node's value: by nodes, and one for each output.
std::vector<int> useCounts(const StreamGraph& graph);

/// Elements of a Map or Map2 that one run of its function works on.
std::int64_t chunkOf(const StreamGraph& graph, const StreamNode& map);

/// Most words alive at once while `graph` is interpreted on `batch` sets of inputs, those of the
/// inputs among them; at most kMostWords.
std::int64_t liveWords(const StreamGraph& graph, std::int64_t batch);

/// Words of all results of all operators, functions for each element; at most INT64_MAX.
std::int64_t computedWords(const StreamGraph& graph);

} // namespace marquetry::ir
