// The meaning of L_st: timed sequences, slot by slot (supplement of Aetherling, evaluation rules).
//
// A program maps waves (wave.h) to a wave. The clock of a slot is the logical one: the delay of
// the circuit (delay.h) comes on top. Where an operator shifts elements in, the slots are
// ir::kUndefined; idle slots are kInvalid and are never read.
// The graph must have passed check (an assertion otherwise). Complexity: linear in the slots each
// operator touches; values are dropped after their last use. Thread rule: pure.
#pragma once

#include "engine/spacetime/operators.h"
#include "engine/spacetime/wave.h"

namespace marquetry::spacetime {

/// Runs `graph` on `batch` independent sets of inputs: input k holds that many waves of its type.
Slots evaluate(const Graph& graph, const std::vector<Slots>& inputs, std::int64_t batch = 1);

} // namespace marquetry::spacetime
