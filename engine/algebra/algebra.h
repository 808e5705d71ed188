// Algebra on stream programs before they are scheduled: a kernel written with windows becomes one
// written with streams of single elements, with fewer operators and stores (rewrites.h).
//
// Looks into the program as far as flatten.h can, into functions that it cannot look through
// likewise, writes sums in several ways and takes the one that weighs least (forest.h). The result
// has the same inputs, in their order, and the same outputs; elements that were defined keep their
// values. What weighs least depends on the elements per clock. Names of inner values are lost.
// Deterministic.
// Complexity: that of sums.h and stores.h, a few times. Thread rule: pure.
#pragma once

#include "engine/algebra/rewrites.h"
#include "engine/ir/stream_program.h"

namespace marquetry::algebra {

/// `lanes`: elements per clock of the outputs, at least 1.
ir::StreamGraph rewritten(const ir::StreamGraph& graph, Rewrites rewrites = {},
                          std::int64_t lanes = 1);

} // namespace marquetry::algebra
