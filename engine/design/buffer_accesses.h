// A design's loops as accesses to its activation buffers: what a bank search needs to know of a
// tensor that one layer writes and others read (background/banking.md, "Accesses").
//
// There is one memory program per stored activation (inputs and results of layers), named after its
// value, in the order in which they are written; elements are row-major as declared. Its first nest
// is the writer: the stream that loads an input, or the layer that computes the value,
// `parallelism` neighbouring channels at a time. Then comes each layer that reads it, `lanes`
// neighbouring channels at a time in the order of its nest (design/schedule.h), and the stream of
// an output.
//
// The nests can be looked at one by one. Calls run one after another; where two overlap
// (design/join.h), one writes what the other reads, and reads never conflict with writes. Tensors
// of layers without such a nest are left out: one-dimensional convolutions, batched products,
// passes that permute. Complexity: O(layers). Thread rule: pure.
#pragma once

#include "engine/design/design.h"
#include "engine/ir/memory_program.h"

namespace marquetry::design {

std::vector<ir::MemoryProgram> bufferAccesses(const Design& design, const ir::Program& program);

} // namespace marquetry::design
