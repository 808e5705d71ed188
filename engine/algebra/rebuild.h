// From terms back to a stream program; the opposite of flatten.h.
//
// Each operator becomes a map over its stream, or a map2 over two. An operator whose result only
// one other operator uses is written inside that one's function, where two streams are enough for
// both. Three and more streams meet as pairs. All shifts of a term are one chain of shifts. Opaque
// values (flatten.h) are computed as before, from the new values. What nothing needs is not built,
// but inputs stay. Complexity: linear. Thread rule: pure.
#pragma once

#include "engine/algebra/dataflow_graph.h"
#include "engine/algebra/flatten.h"

#include <functional>

namespace marquetry::algebra {

/// A value that is built from its leaves.
struct BuiltValue {
    ir::StreamNodeId node;
    std::size_t firstRoot = 0;
};

/// The values that outputs and operators that are not looked into need, in the order of the nodes,
/// and their leaves.
struct Needs {
    std::vector<BuiltValue> values;
    std::vector<TermId> roots;
};
Needs needsOf(const FlatGraph& flat);

/// How the function of an operator that is not looked into is rewritten.
using OnFunction =
    std::function<std::shared_ptr<const ir::StreamGraph>(const ir::StreamGraph& function)>;

/// The program with the roots of `dataflow` in the place of those of `needs`; none when there is no
/// stream that gives a generator its length.
std::optional<ir::StreamGraph> rebuilt(const FlatGraph& flat, const Needs& needs,
                                       const DataflowGraph& dataflow, const OnFunction& onFunction);

} // namespace marquetry::algebra
