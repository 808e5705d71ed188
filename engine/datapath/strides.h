// How far apart in time the values of a circuit start. With it the clocks in which nothing starts
// can be left out of a datapath.
//
// The stride of a value is the greatest number that divides every clock in which something of it
// starts to be valid. Thread rule: pure. Complexity: linear in the graph, times the depth.
#pragma once

#include "engine/spacetime/operators.h"

namespace marquetry::datapath {

/// In values of the type that start at multiples of `stride`.
std::int64_t strideOf(const spacetime::SeqType& type, std::int64_t stride);
/// The stride of values inside the function of a node.
std::int64_t innerStride(const spacetime::Node& node, const spacetime::SeqType& operand,
                         std::int64_t stride);
/// Of all values of a graph; `graph` is well-typed.
std::int64_t commonStride(const spacetime::Graph& graph, std::int64_t stride);

} // namespace marquetry::datapath
