// Delays of L_st programs in clocks (reference, §B; Aetherling §4.4).
//
// The delay of a program is the time from the first slot of its inputs to the first slot of its
// output. Where values of different delay meet, the circuit needs a fifo on the earlier one;
// constants and counters start later instead, at no cost.
// Deviation: the published delay of reduce_s holds a register behind and one before the tree; it
// is kept here, as the figures of the reference are.
//
// Errors: delay-mismatch. Complexity: linear in the graph, but for a reshape: linear in its
// elements. Thread rule: pure.
#pragma once

#include "engine/spacetime/operators.h"
#include "engine/support/result.h"

namespace marquetry::spacetime {

/// Clocks by which a reshape must hold its output back so that every element has come in the
/// clock before it leaves; 0 when wires do.
std::int64_t reshapeDelay(const SeqType& from, const SeqType& to);

/// Delay of a well-typed program whose operands meet at equal delays everywhere.
Result<std::int64_t> delay(const Graph& graph);

} // namespace marquetry::spacetime
