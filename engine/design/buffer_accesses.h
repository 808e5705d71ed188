// A design's loops as accesses to its activation buffers: what a bank search needs to know of a
// tensor that one layer writes and others read (background/banking.md, "Accesses").
//
// One memory program per stored activation (inputs and results of layers), in the order in which
// they are written, named after its value; elements as declared, row-major. Nests: the writer —
// the stream that loads an input, else the layer that computes it, `parallelism` neighbouring
// channels at a time — then each layer that reads it, `lanes` neighbouring channels at a time, in
// the order of its nest (design/schedule.h), and the stream of an output. Calls run one after
// another; of two that overlap (design/join.h) one writes what the other reads, and reads never
// conflict with writes, so that nests may be taken apart. A tensor whose layers are of a kind
// without such a nest (depth-wise and one-dimensional convolutions, batched products, passes that
// permute) is left out.
// Complexity: O(layers). Thread rule: pure.
#pragma once

#include "engine/design/design.h"
#include "engine/ir/memory_program.h"

namespace marquetry::design {

std::vector<ir::MemoryProgram> bufferAccesses(const Design& design, const ir::Program& program);

} // namespace marquetry::design
