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

#include "engine/ir/memory_lanes.h"
#include "engine/support/result.h"

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

namespace marquetry::banking {

using Address = std::vector<std::int64_t>;

struct Span {
    Address step;
    std::int64_t trips = 1;
    bool operator==(const Span&) const = default;
    auto operator<=>(const Span&) const = default;
};

struct Starts {
    Address base;
    std::vector<Span> spans;
    bool operator==(const Starts&) const = default;
    auto operator<=>(const Starts&) const = default;
};

struct Collision {
    std::vector<Address> deltas; ///< from the first address to the other `ports` ones
    std::vector<Starts> starts;  ///< all first addresses
};

struct LaneCollision {
    std::size_t group = 0;
    std::vector<std::size_t> lanes; ///< ports + 1 of Group::lanes
    Collision collision;
};

struct Unresolved {
    std::size_t group = 0;
    std::vector<std::size_t> lanes;
};

/// A change of the item's text, as the printer writes it (ir/printer.h).
struct Edit {
    std::string from;
    std::string to;
};

/// What lets the lanes of a group drift apart (background/banking.md, "Lockstep and dephasing").
struct Dephasing {
    std::string cause;       ///< "j in 0 .. ?n(i)", the first loop that ends apart, or "?row(i)"
    std::string bound;       ///< "?n(i)"
    std::string iterator;    ///< whose lanes drift: "i"
    std::int64_t lanes = 1;  ///< of it
    std::vector<Edit> edits; ///< each alone removes this cause
};

struct Group {
    std::size_t nest = 0;
    bool write = false;
    std::vector<std::size_t> lanes;      ///< of the nest, one of each affine form
    std::vector<std::size_t> broadcasts; ///< per lane: further lanes that read the same address
    std::string why;                     ///< how its lanes move relative to each other
    std::vector<Dephasing> dephasings;   ///< empty: in lockstep, or by different steps
};

struct Pattern {
    ir::Shape dims;
    int bits = 32; ///< of an element
    int ports = 1;
    std::vector<ir::UnrolledNest> nests;
    std::vector<std::vector<std::string>> texts;    ///< per nest: its references as written
    std::vector<std::vector<ir::MemoryLoop>> loops; ///< per nest
    std::vector<Group> groups;
    std::vector<Collision> collisions; ///< merged, without those of `unresolved`
    std::vector<LaneCollision> laneCollisions;
    std::vector<Unresolved> unresolved;
    bool late = false; ///< some are unresolved because the time was over
    /// Some collisions may name moments beyond the limits of their lanes: there were too many to
    /// run. What separates them is right, that nothing else does is not proven.
    bool relaxed = false;

    const ir::MemoryLane& lane(std::size_t group, std::size_t k) const {
        return nests[groups[group].nest].lanes[groups[group].lanes[k]];
    }
    std::int64_t words() const;
    /// "a[i, j + 1]", with its lane numbers where loops are parallel.
    std::string laneText(std::size_t group, std::size_t k) const;
};

struct AccessParams {
    std::int64_t enumerationLimit = std::int64_t{1} << 18; ///< steps over all groups
    double maxLaneSets = 1 << 21;
    double seconds = 0; ///< wall clock; 0: no limit. Sets of lanes left then are `unresolved`
};

Result<Pattern> accessPattern(const ir::MemoryProgram& memory, const AccessParams& params = {},
                              std::stop_token stop = {});

/// Addresses that one lane visits.
struct Visited {
    bool exact = true; ///< false: too many to enumerate, `starts` is empty
    std::vector<Starts> starts;
};
Visited visitedBy(const Pattern& pattern, std::size_t group, std::size_t lane);

} // namespace marquetry::banking
