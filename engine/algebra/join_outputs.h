// Several outputs as one: a stream of pairs, the first output and the pair of the others.
//
// Outputs are joined when they are sequences of the same lengths of atoms: they then come in the
// same layout, element by element. Errors: several-outputs (of other types).
// Complexity: linear in the outputs. Thread rule: pure.
#pragma once

#include "engine/ir/stream_program.h"
#include "engine/support/result.h"

namespace marquetry::algebra {

/// The same graph when it has one output.
Result<ir::StreamGraph> withJoinedOutputs(const ir::StreamGraph& graph);

} // namespace marquetry::algebra
