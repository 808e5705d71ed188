// The states of the stream scheduler as an e-graph: one e-class for each (value, type), and in it
// the operators that produce the value in that type and `reshape` from its other types.
//
// It is in the format of extraction-gym (engine/egraph/serialize.h), from which importGraph makes
// an e-graph for the view. Costs are millionths of the device: the sum of the fractions that the
// operator takes. The data of a class are its value (a number of the rewritten program), its type,
// and the e-node of the chosen circuit, if it has one: {"value", "type", "chosen"}. Complexity:
// linear. Thread rule: pure.
#pragma once

#include "engine/device/device.h"
#include "engine/egraph/serialize.h"
#include "engine/spacetime/state_graph.h"

namespace marquetry::stream_states {

egraph::SerializedGraph serialize(const spacetime::StateGraph& states,
                                  const device::Device& device);

} // namespace marquetry::stream_states
