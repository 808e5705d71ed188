// The dataflow graph of a kernel: its terms, which of them are wanted (the roots), and what they
// weigh in LUTs. Thread rule: value types, pure.
#pragma once

#include "engine/algebra/terms.h"

namespace marquetry::algebra {

struct DataflowGraph {
    Terms terms;
    std::vector<TermId> roots;
};

/// By TermId: whether a root needs it.
std::vector<bool> neededBy(const DataflowGraph& dataflow);

/// Whether something that is needed takes words that come later.
bool looksAhead(const DataflowGraph& dataflow);
/// Whether an operator takes them, and not only the roots.
bool looksAheadInside(const DataflowGraph& dataflow);

/// LUTs of an operator on words of so many bits, `constant` when an operand is one; a product of
/// two values that is in DSP blocks counts as the LUTs that these are worth.
double weightOf(ir::StreamOp op, int bits, const std::int64_t* constant);
/// LUTs that a table of constants is worth, in LUTs or block RAM.
double tableWeight(int bits, std::int64_t words);
/// LUTs that the cheapest store of `depth` words is worth.
double storeWeight(int bits, std::int64_t depth);
/// Of a circuit that computes `lanes` elements per clock: every operator so often, and one chain of
/// stores behind every term that is shifted, from the latest word that is taken from it to the
/// earliest. Words have the bits of term_bits.h; a twentieth of what they
/// would weigh at the width of their types is added.
double weightOf(const DataflowGraph& dataflow, std::int64_t lanes);

/// The term `id` of the old terms in the new ones.
TermId copied(Terms& terms, const Terms& old, TermId id, const std::vector<TermId>& renamed);

} // namespace marquetry::algebra
