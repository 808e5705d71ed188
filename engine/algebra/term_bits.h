// How many bits of each word of a dataflow graph are computed and stored.
//
// A word is a number, positive or not, modulo 2^width. It keeps the bits that tell the numbers
// apart which it can be, and of these the low ones that its users need: sums, differences and
// products need no more bits of their operands than are needed of them. So the difference of two
// pixels of 8 bits has 9 bits in a word of 32, with or without a sign. The datapath fits its words
// in the same way (engine/datapath/word_widths.h).
//
// Complexity: linear in the terms. Thread rule: pure.
#pragma once

#include "engine/algebra/dataflow_graph.h"

namespace marquetry::algebra {

/// By TermId; 0 for what no root needs.
std::vector<int> wordBits(const DataflowGraph& dataflow);

} // namespace marquetry::algebra
