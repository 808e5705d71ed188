// A scheduled stream's shifted values as accesses to memories: what a bank search needs to know of
// a value whose earlier elements are still read (background/banking.md, "Accesses").
//
// One memory program per stored value, named after the input, or "v4" for %4 of the circuit ("v4_1"
// for %4.1, the node in a function). Where a map has many copies of its function in space, each
// copy has such a memory. All shifts of one value, and shifts of shifts, are reads of one array at
// constant distances; shifts that only others shift further are not read. With L elements per clock
// lane l writes element n + l and reads n + l − r for each distance r; those with r ≤ l are
// elements of the same clock, which are wires. Reads of one element are one read.
//
// The array is a ring: element n lies where n − (its words) lay, read before it is written. It has
// as many words as the longest distance, rounded up to whole clocks. Distances that are near
// multiples of a line make it rows × columns with whole lines as rows; a ring without such a line
// is one row. The steps of one turn are loops in which no reference passes the end of the ring or
// of a line, one loop for each row and each stretch between such places.
//
// Left out: values in which lanes run through times of their own (an SSeq of TSeq; their shifts
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
