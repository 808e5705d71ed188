// Which accesses to an array meet in a cycle: all that a bank scheme has to serve
// (background/banking.md, "Accesses").
//
// A group is the reads, or the writes, of one loop nest; all of them happen in the same cycle.
// Lanes of a group with equal affine forms are one lane, because a read of one address is
// broadcast. A collision is a set of ports + 1 lanes of a group that are all active in some
// iteration, at different addresses. A scheme must not put all of them into one bank. Collisions
// are kept twice: per set of lanes, which is needed where the array has copies, and merged by the
// differences of their addresses, which is what the search needs.
//
// The addresses of the first lane of a collision are a union of progressions base + Σ t_j · step_j
// with 0 ≤ t_j < trips_j. They are exact: the ranges of the loops, lanes that end early and
// addresses outside the array are taken into account. The closed form does not apply to lanes with
// different affine forms, to sums of counters that leave the array, and to ends of ranges that name
// other iterators. There the iterations are enumerated. When they are too many, such ends are left
// out of account (`relaxed`), and other lanes are listed as `unresolved` and treated as if they
// always collided.
//
// Units: elements; axis order as declared. Errors: too-many-lanes (two-port groups with too many
// sets of lanes), cancelled. Complexity: O(lanes^(ports+1) · dims · generators) plus the
// enumeration. Thread rule: pure.
#pragma once

#include "engine/banking/pattern.h"
#include "engine/support/result.h"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace marquetry::banking {

struct AccessParams {
    std::int64_t enumerationLimit = std::int64_t{1} << 18; ///< steps over all groups
    double maxLaneSets = 1 << 21;
    double seconds = 0; ///< wall clock; 0: no limit. Sets of lanes left then are `unresolved`
};

Result<AccessPattern> accessPattern(const ir::MemoryProgram& memory,
                                    const AccessParams& params = {}, std::stop_token stop = {});

/// Addresses that one lane visits.
struct Visited {
    bool exact = true; ///< false: too many to enumerate, `starts` is empty
    std::vector<Starts> starts;
};
Visited visitedBy(const AccessPattern& pattern, std::size_t group, std::size_t lane);

} // namespace marquetry::banking
