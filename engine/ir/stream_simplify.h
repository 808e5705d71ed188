// Algebra on stream programs that keeps what they mean (background/aetherling.md, "Kernel
// algebra").
//
// Equal expressions on equal operands become one value (a function used twice writes them twice),
// also inside functions; what no output needs goes. Inputs stay, in their order. Names of the
// values that go are lost. Complexity: n log n in the nodes with their functions written out.
// Thread rule: pure.
#pragma once

#include "engine/ir/stream_program.h"

namespace marquetry::ir {

StreamGraph withSharedValues(const StreamGraph& graph);

} // namespace marquetry::ir
