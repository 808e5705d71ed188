// The reference interpreter of L_seq (background/aetherling.md, "L_seq"): the oracle of every
// stream test.
//
// A value is words(type) words, row-major, each in the range of its leaf's scalar or kUndefined.
// Errors: unknown-name, type-mismatch (a wrong input), input-missing with the input's place,
// too-large (more elements alive at the same time than kMaxInterpretedElements, or more operations
// on them than kMaxInterpretedSteps); "cancelled" between chunks (never shown to a user).
// Complexity: linear in the elements each operator touches; values are dropped after their last use
// (stream_live_words.h). Thread rule: pure.
#pragma once

#include "engine/ir/stream_program.h"

#include <map>
#include <stop_token>

namespace marquetry::ir {

struct StreamData {
    StreamType type;
    std::vector<std::int64_t> words;
    bool operator==(const StreamData&) const = default;
};

/// Whether the program's values can be held and waited for; else too-large.
Status checkInterpretable(const StreamProgram& program);

/// The outputs in declaration order. Every input must be given.
Result<std::vector<StreamData>> interpret(const StreamProgram& program,
                                          const std::map<std::string, StreamData>& inputs,
                                          std::stop_token stop = {});

/// Runs `graph` on `batch` independent sets of inputs at once: input k holds `batch` values of its
/// type one after the other, and so do the outputs.
std::vector<std::vector<std::int64_t>> evaluate(const StreamGraph& graph,
                                                std::vector<std::vector<std::int64_t>> inputs,
                                                std::int64_t batch, std::stop_token stop = {});

/// Little-endian bytes of each leaf in turn (a bit is one byte). Undefined words become 0.
std::vector<std::uint8_t> toBytes(const StreamData& data);
/// The reverse; `bytes` has the length toBytes would give.
StreamData streamFromBytes(const StreamType& type, std::span<const std::uint8_t> bytes);
std::int64_t byteSize(const StreamType& type);

} // namespace marquetry::ir
