// Changes of layout as streaming permutations through addressed memories (background/aetherling.md,
// "Changes of layout").
//
// Types nest, so the elements of a lane come in ascending order in every layout, and what goes from
// one lane to another leaves in the order in which it came. A FIFO between each two lanes is
// therefore enough for any change of layout. The schedule guarantees that none is written when full
// or read when empty. A lane of the result chooses among the FIFOs that lead to it. Where all
// elements between two lanes wait equally long, there is a line of registers or a line buffer
// instead, which time_datapath.h shares with others.
//
// Deviation from the published form: no colouring of banks, no table of addresses and no sorting
// networks, at any length. With p lanes before and q behind it takes up to p · q memories. FIFOs
// that are full at different times do not share words; docs/streams.md says how many more words
// that takes than are needed at once.
//
// Units: steps. Complexity: linear in the elements, times the lanes of the result for conditions.
// Thread rule: pure.
#pragma once

#include "engine/datapath/datapath.h"
#include "engine/spacetime/seq_type.h"

#include <stop_token>

namespace marquetry::datapath {

/// Pairs of lanes with a FIFO between them, and steps of their conditions together.
inline constexpr std::size_t kMostPassages = 1 << 12;
inline constexpr std::int64_t kMostConditionSteps = std::int64_t{1} << 28;

/// A value of type `to` whose element k is element k − `later` of one of type `from`.
struct LayoutChange {
    spacetime::SeqType from;
    spacetime::SeqType to;
    std::int64_t later = 0;
};

/// What goes from one lane to another.
struct Passage {
    std::int64_t fromLane = 0;
    std::int64_t toLane = 0;
    Fifo fifo;

    /// Whether all wait equally long.
    bool isSteady() const;
};

struct Passages {
    std::int64_t period = 1;    ///< steps
    std::int64_t lanes = 1;     ///< of the result
    std::vector<Passage> all{}; ///< by lane of the result, then of the value
};

/// At most kMaxListedWords elements; `unit`: clocks of a step.
Passages passagesOf(const LayoutChange& change, std::int64_t unit);

/// Whether FIFOs take less than registers to choose among, for atoms with leaves of so many bits.
bool fifosAreSmaller(const Passages& passages, const std::vector<int>& leafBits);

/// The words of the result, by lane and leaf; `leafBits` are those of an atom. Nothing when the
/// steps of a passage follow no rule, there are too many passages or steps, a word that no input
/// changes would have to be stored, or `stop` has fired.
std::optional<std::vector<Tap>> permuted(DatapathBuilder& cells, const Passages& passages,
                                         const std::vector<int>& leafBits,
                                         const std::vector<Tap>& in, Used used,
                                         const std::stop_token& stop = {});

} // namespace marquetry::datapath
