// A table of constants, by whose index a stream program looks a word up.
//
// Words count from 0. The index may have any integer type, but its values must be known to be
// inside of the table: the front end refuses others. Thread rule: immutable once made.
#pragma once

#include "engine/ir/stream_type.h"

#include <memory>
#include <vector>

namespace marquetry::ir {

/// The longest there may be.
inline constexpr std::int64_t kMaxTableWords = std::int64_t{1} << 16;

struct StreamTable {
    StreamType element; ///< a scalar
    std::vector<std::int64_t> words;
    bool operator==(const StreamTable&) const = default;

    /// 0 where the table has no such word: rewrites may look up what nobody takes.
    std::int64_t at(std::int64_t index) const {
        const bool isInside = 0 <= index && index < static_cast<std::int64_t>(words.size());
        return isInside ? words[static_cast<std::size_t>(index)] : 0;
    }
};

using StreamTablePtr = std::shared_ptr<const StreamTable>;

} // namespace marquetry::ir
