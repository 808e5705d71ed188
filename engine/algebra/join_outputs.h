// Several outputs as one: a stream of pairs, the first output and the pair of the others.
//
// Outputs are joined when they are sequences of the same lengths of atoms: they then come in the
// same layout, element by element.
// Errors, at the last output: no-output, output-type (tuples that are no atoms), several-outputs
// (of other types). Complexity: linear in the outputs. Thread rule: pure.
#pragma once

#include "engine/ir/stream_program.h"
#include "engine/support/result.h"

namespace marquetry::algebra {

/// The same program when it has one output.
Result<ir::StreamProgram> withJoinedOutputs(ir::StreamProgram program);

} // namespace marquetry::algebra
