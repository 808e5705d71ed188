// Lower bounds of the area of a value, whatever its layout: the least that a search still has to
// spend on it.
//
// Let a function be mapped over n elements in t clocks, where one element takes e clocks. At least
// as many copies of it are needed as the fewest lanes that leave n / lanes groups the time t / e. A
// scalar operator takes one clock, so one of it is needed in every stream, however slow. A reduce
// keeps a value as well, and so does a scan. A shift by r elements stores r of them in every layout
// that has not the whole sequence side by side, which is possible only up to the widest layout;
// lanes that wait equally long share a store. Products with constants count; others count nothing,
// because what they multiply may be constants that surround them.
//
// The sum of fractions of the device is bounded apart from the single resources: a store is of one
// of three kinds, and taking the least of each resource over all kinds would be less than the least
// kind.
// Complexity: linear in the graph with its functions, times the divisors of the time for each level
// of functions.
#pragma once

#include "engine/device/device.h"
#include "engine/ir/stream_program.h"
#include "engine/support/until.h"

namespace marquetry::spacetime {

struct LeastArea {
    device::Resources each; ///< of every resource
    double fraction = 0;    ///< of the sum of fractions of the device; at least that of `each`
};

/// The bounds of a program's graphs; what is computed once is kept. Layouts have at most `maxBits`
/// in a clock. Once `until` is reached, bounds that are not there yet are 0. Graphs must outlive
/// the table. Thread rule: not shared.
class LeastAreaTable {
public:
    LeastAreaTable(const device::Device& device, std::int64_t maxBits, Until until = {});
    ~LeastAreaTable();

    /// Of every node's operator, in a graph that takes `clocks`. By node. Infinite when no layout
    /// exists. The reference stays valid.
    const std::vector<LeastArea>& of(const ir::StreamGraph& graph, std::int64_t clocks);
    /// The same, within a bound of the sum of fractions: a shift that has its sequence side by side
    /// costs nothing, but when a user would be above the bound with so many lanes, the elements
    /// that come at once are stored until they leave one after the other.
    std::vector<LeastArea> within(const ir::StreamGraph& graph, std::int64_t clocks, double bound);
    /// The sum of the fractions.
    double fraction(const ir::StreamGraph& graph, std::int64_t clocks);

private:
    class Bounds;
    std::unique_ptr<Bounds> bounds_;
};

} // namespace marquetry::spacetime
