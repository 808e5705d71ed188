// Rewrites a stream program before it is scheduled. A kernel that is written with windows becomes a
// dataflow graph on streams of single elements, with fewer operators and less storage (rewrites.h).
//
// The program is translated to terms as far as flatten.h can do that. Functions of operators that
// it cannot translate are rewritten in the same way, each by itself. Weighted sums are written in
// several ways, and the one of least weight is taken (dataflow_graph.h); which one that is depends
// on the elements per clock. The result has the same inputs and outputs in the same order. Elements
// that were defined keep their values. Names of inner values are lost. Deterministic.
//
// Complexity: that of constant_multiplication.h and retiming.h, a few times. Thread rule: pure.
#pragma once

#include "engine/algebra/rewrites.h"
#include "engine/ir/stream_program.h"

namespace marquetry::algebra {

/// `lanes`: elements per clock of the outputs, at least 1.
ir::StreamGraph rewritten(const ir::StreamGraph& graph, Rewrites rewrites = {},
                          std::int64_t lanes = 1);

} // namespace marquetry::algebra
