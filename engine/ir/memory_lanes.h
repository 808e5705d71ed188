// The lanes of a loop nest: every reference in every parallel lane, as an affine map of the
// counters that all lanes of a cycle share (background/banking.md, "Accesses").
//
// These counters are called generators: first the parallel trips of each loop, 0 ≤ k < trips, then
// each unknown value (one per combination of the lane ids on which it depends). A lane may end
// earlier than the nest. Its own trips and limits then say when its iterators have passed their
// range.
//
// A loop whose end depends on a parallel iterator ends differently in the lanes of that iterator,
// so the lanes drift apart. The counters of that loop, and of all loops inside it, are then unknown
// values of their own in each of those lanes (rules 3 and 4 of background/banking.md, "Lockstep and
// dephasing"). A loop whose end depends on other iterators only keeps its lanes in lockstep. An
// unknown end limits nothing: every value up to the loop's last may come. Complexity: O(lanes ·
// dims · generators). Thread rule: pure.
#pragma once

#include "engine/ir/memory_program.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace marquetry::ir {

struct Generator {
    std::string name;
    std::int64_t trips = 1;  ///< of a counter; 0 for an unknown value
    std::int64_t most = -1;  ///< of an unknown value: it is one of 0 … most; −1: any integer
    std::int64_t first = 0;  ///< value of the iterator in the first lane at 0
    std::int64_t stride = 1; ///< of that value
    std::size_t of = 0;      ///< the loop; of an unknown value without a `most` the symbol
    bool split = false;      ///< a loop whose lanes drift apart: they have unknown values instead

    bool unknown() const { return trips == 0; }
    std::int64_t valueAt(std::int64_t k) const { return first + stride * k; }
};

/// Σ row · k + constant ≥ 0 while the lane runs.
struct LaneLimit {
    std::vector<std::int64_t> row; ///< per generator
    std::int64_t constant = 0;
    bool operator==(const LaneLimit&) const = default;
};

struct MemoryLane {
    std::size_t reference = 0;
    std::vector<std::int64_t> ids;                 ///< lane number per loop
    std::vector<std::vector<std::int64_t>> matrix; ///< dims × generators
    std::vector<std::int64_t> offset;              ///< per dimension
    std::vector<std::int64_t> trips;               ///< per loop
    std::vector<LaneLimit> limits;                 ///< beyond the trips

    bool endsWith(const MemoryLane& other) const {
        return trips == other.trips && limits == other.limits;
    }
    bool sameAddress(const MemoryLane& other) const {
        return matrix == other.matrix && offset == other.offset;
    }
};

struct UnrolledNest {
    std::vector<Generator> generators;
    std::vector<MemoryLane> lanes;
    bool counted = true; ///< every end is a number: the counters alone say what happens when
};

/// Per loop: the parallel loops in whose lanes it drifts apart, ascending; none: in lockstep.
std::vector<std::vector<std::size_t>> driftOf(const MemoryNest& nest);
/// The parallel loops among those that the end of loop `j` names.
std::vector<std::size_t> endDependsOn(const MemoryNest& nest, std::size_t j);

/// Lanes of one cycle of the nest.
std::int64_t laneCount(const MemoryNest& nest);
/// The nest has at most kMaxMemoryLanes lanes.
UnrolledNest unroll(const MemoryNest& nest);

/// How often a reference happens: with all its lanes and iterations, as far as they can be counted
/// (unknown values left out: their dimension is taken to be inside).
struct Presence {
    std::int64_t inside = 0;
    std::int64_t total = 0;
    bool exact = true; ///< false: more than kEnumerationLimit to count, `inside` only tells never
};
Presence presence(const UnrolledNest& nest, std::size_t reference, const Shape& dims);

/// Two lanes that write one address in the same cycle, and when.
struct DoubleWrite {
    std::size_t first = 0; ///< indices of lanes
    std::size_t second = 0;
    std::vector<std::int64_t> at;      ///< value of each generator
    std::vector<std::int64_t> address; ///< per dimension
};
struct DoubleWriteSearch {
    std::optional<DoubleWrite> found;
    /// False: some iterations are beyond kEnumerationLimit steps in all, or nothing bounds an
    /// unknown value.
    bool complete = true;
};
/// Lanes that move alike at a distance never meet; all others are tried iteration by iteration.
DoubleWriteSearch findDoubleWrite(const MemoryNest& source, const UnrolledNest& nest,
                                  const Shape& dims);

inline constexpr std::int64_t kEnumerationLimit = std::int64_t{1} << 21;

/// The address of a lane at a point of the generators.
std::vector<std::int64_t> addressAt(const MemoryLane& lane, const std::vector<std::int64_t>& point);
/// Whether the lane's address, or when it runs, depends on the generator beside its trips.
bool dependsOn(const MemoryLane& lane, std::size_t generator);
bool isInside(const std::vector<std::int64_t>& address, const Shape& dims);
/// Whether the lane's iterators are in their ranges there.
bool isRunning(const MemoryLane& lane, const std::vector<std::int64_t>& point);

/// Values lo … hi that each generator takes while some lane of `lanes` is inside the array;
/// nothing when an unknown value is not bounded by any lane.
std::optional<std::vector<std::pair<std::int64_t, std::int64_t>>>
generatorRanges(const UnrolledNest& nest, const std::vector<std::size_t>& lanes, const Shape& dims);

} // namespace marquetry::ir
