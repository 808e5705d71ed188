// Constants as the circuit sees them: which words each copy of a function gets, one after the
// other.
//
// Area and delay of a function depend on the constants that its inputs carry. A multiplication by a
// word that never changes is a sum of shifted operands, while the same operator is a multiplier
// where the words change from clock to clock. Axis order: copy, step in time, word of the value.
// Thread rule: value types, pure.
#pragma once

#include "engine/spacetime/operators.h"

#include <optional>

namespace marquetry::spacetime {

struct Constants {
    std::int64_t copies = 1;
    std::int64_t steps = 1;
    std::vector<std::int64_t> words;
    auto operator<=>(const Constants&) const = default;

    /// The words of a constant, for each copy; nothing when they are more than kMaxKnownWords.
    static std::optional<Constants> ofEach(std::int64_t copies,
                                           const std::vector<std::int64_t>& words);

    std::int64_t size() const { return static_cast<std::int64_t>(words.size()) / copies / steps; }
    /// The elements of values Seq n t, side by side: n times the copies.
    Constants inSpace(std::int64_t n) const;
    /// The elements of values Seq n t, one after the other: n times the steps.
    Constants inTime(std::int64_t n) const;
    /// The word of a copy of an atom of one word, if it does not change.
    std::optional<std::int64_t> steady(std::int64_t copy) const;
};

using MaybeConstants = std::optional<Constants>;

/// By NodeId: the constants of the nodes of a graph whose inputs carry `inputs`. They come from
/// `const` and pass through changes of type that are wires.
std::vector<MaybeConstants> constantsOf(const Graph& graph, const std::vector<SeqType>& types,
                                        const std::vector<MaybeConstants>& inputs,
                                        std::int64_t copies);

/// What the function of a map gets from operands that carry `operands`.
std::vector<MaybeConstants> functionInputs(const Node& map, std::vector<MaybeConstants> operands);

} // namespace marquetry::spacetime
