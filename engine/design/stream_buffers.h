// The values that a scheduled stream shifts in time, as accesses to memories: what a bank search
// needs to know of a value whose earlier elements are still read (background/banking.md,
// "Accesses").
//
// There is one memory program per stored value, named after the input, or "v4" for %4 of the
// circuit ("v4_1" for %4.1, a node in a function). Where a map has several copies of its function
// in space, each copy has such a memory. All shifts of one value, and shifts of shifts, are reads
// of one array at constant distances; a shift that is only shifted further is not read. With L
// elements per clock, lane l writes element n + l and reads n + l − r for each distance r. Where r
// ≤ l that is an element of the same clock, which is a wire. Reads of one element are one read.
//
// The array is a ring: a new element takes the place of the oldest, which is read before that in
// the same clock. It has as many words as the longest distance, rounded up to whole clocks.
// Distances near multiples of a line make the ring rows × columns with whole lines as rows; a ring
// without such a line is one row. One turn around the ring is written as loops in which no
// reference passes the end of the ring or of a line. There is one loop for each row and each
// stretch between such places.
//
// Left out are values in which lanes run through times of their own (an SSeq of TSeq; their shifts
// move wires), changes of layout, and the waits of reductions. Axis order: row, column. Units:
// elements. Complexity: O(nodes + rows · distances²). Thread rule: pure.
#pragma once

#include "engine/ir/memory_program.h"
#include "engine/spacetime/operators.h"

#include <string>
#include <vector>

namespace marquetry::design {

/// `circuit` is well-typed; `inputs`: names, in its order.
std::vector<ir::MemoryProgram> streamBuffers(const spacetime::Graph& circuit,
                                             const std::vector<std::string>& inputs);

/// The accesses to a value of which `lanes` elements come per step and those `distances` (each at
/// least 1, ascending, at least one) before are read.
ir::MemoryProgram ringAccesses(const std::string& name, ir::Scalar scalar, std::int64_t lanes,
                               const std::vector<std::int64_t>& distances);

} // namespace marquetry::design
