// Ranges of words of streams: which values an operator's result can have, given those of its
// operands.
//
// Results are full ranges where they may wrap. Of an expression, ranges of what functions are
// applied to are those of their types. Complexity: of a table linear in the range of its index; of
// an expression linear in its operators, of which a thousand are looked at. Thread rule: pure.
#pragma once

#include "engine/ir/stream_program.h"

#include <span>

namespace marquetry::ir {

/// Values that an unsigned or signed word can take, both ends included.
struct WordRange {
    std::int64_t low = 0;
    std::int64_t high = 0;
    bool operator==(const WordRange&) const = default;
};

/// All words of a scalar, or of a fixed-point type.
WordRange fullRange(const StreamType& leaf);
/// Of the result of an operator on scalars, or of `if`.
WordRange resultRange(StreamOp op, const StreamType& type, std::span<const WordRange> operands);
/// Of the words at indices of a range; of those of them that the table has, if it has one.
WordRange tableRange(const StreamTable& table, const WordRange& index);
/// Of a scalar value of a graph.
WordRange wordRange(const StreamGraph& graph, StreamNodeId word);

} // namespace marquetry::ir
