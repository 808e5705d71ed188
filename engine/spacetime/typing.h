// The typing judgements of L_st: one per operator (background/aetherling.md, "Types of L_st"). A
// well-typed program is a circuit: every interface has the time of every other, so the parts can
// run in lock step.
//
// Errors (no place: the programs are ours): type-mismatch, with the type found and the one
// expected drawn next to each other in the notes; time-mismatch; bad-parameter; operand-count.
// Deviation: the published figures leave some idle times unspecified; the arities here are exact.
// Complexity: linear in the graph times the depth of its types. Thread rule: pure.
#pragma once

#include "engine/spacetime/operators.h"
#include "engine/support/result.h"

#include <span>

namespace marquetry::spacetime {

/// Type of a node's result, given those of its operands.
Result<SeqType> judge(const Node& node, std::span<const SeqType> operands);

/// Type of every node, functions checked as well; index: NodeId.
Result<std::vector<SeqType>> check(const Graph& graph);

} // namespace marquetry::spacetime
