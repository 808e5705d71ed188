// The users of each word of a datapath, grouped by how far apart in time they are. Users that are
// far apart are served by a memory.
//
// A use waits at least its distance. It waits longer where its user has to wait for other operands
// of smaller distance; then it counts from the first step in which the user can start, when every
// word is ready as early as the distances allow.
// Complexity: linear in the operands, with sorting, and for each word that loops make later once
// more. Thread rule: pure.
#pragma once

#include "engine/datapath/lower_datapath.h"

namespace marquetry::datapath {

struct WordUse {
    std::size_t user = 0; ///< cell; behind the last: the output
    std::int64_t distance = 0;
    std::int64_t wait = 0; ///< steps at the least
};

/// Users of a word that wait about equally long; a memory leads from one to the next.
struct UseCluster {
    std::int64_t start = 0; ///< the least wait; of the first cluster 0
    std::vector<WordUse> uses{};
};

/// Of each cell, nearest first, views looked through; none of generators. The first cluster may be
/// without uses: it stands for the cell itself.
std::vector<std::vector<UseCluster>> usesOf(const Datapath& datapath);

/// The most steps that a word waits for a user, or from the first of the inputs on, at the least.
std::int64_t longestWait(const Datapath& datapath);

} // namespace marquetry::datapath
