// Which accesses to an array meet in a cycle, as data: all that a bank scheme has to serve. It is
// made by accessPattern (access.h), which says what its parts mean.
//
// Units: elements; axis order as declared. Thread rule: value types.
#pragma once

#include "engine/ir/memory_lanes.h"

#include <cstdint>
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

struct AccessPattern {
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

} // namespace marquetry::banking
