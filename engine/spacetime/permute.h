// Changes of layout as streaming permutations through addressed memories (background/aetherling.md,
// "Changes of layout").
//
// Types nest, so the elements of a lane come in ascending order, in every layout. What goes from
// one lane to another therefore leaves in the order in which it came: a queue between each two
// lanes, which are never full or empty by the schedule, permutes as any change of layout asks for.
// A lane of the result chooses among the queues to it. Where the elements between two lanes wait
// equally long a line of registers or a line buffer does, which time_datapath.h shares with others.
// Deviation from the published form: no colouring of banks, no table of addresses and no sorting
// networks, at any length. With p lanes there and q here it takes up to p · q memories; queues that
// are full at different times do not share words, docs/streams.md says how many more that takes
// than are alive at once.
//
// Units: steps. Complexity: linear in the elements, times the lanes of the result for conditions.
// Thread rule: pure.
#pragma once

#include "engine/spacetime/datapath.h"
#include "engine/spacetime/seq_type.h"

#include <stop_token>

namespace marquetry::spacetime {

/// Pairs of lanes with a queue between them, and steps of their conditions together.
inline constexpr std::size_t kMostPassages = 1 << 12;
inline constexpr std::int64_t kMostConditionSteps = std::int64_t{1} << 28;

/// A value of type `to` whose element k is element k − `later` of one of type `from`.
struct LayoutChange {
    SeqType from;
    SeqType to;
    std::int64_t later = 0;
};

/// What goes from one lane to another.
struct Passage {
    std::int64_t fromLane = 0;
    std::int64_t toLane = 0;
    Queue queue;

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

/// Whether queues take less than registers to choose among, for atoms with leaves of so many bits.
bool queuesAreSmaller(const Passages& passages, const std::vector<int>& leafBits);

/// The words of the result, by lane and leaf; `leafBits` are those of an atom. Nothing when the
/// steps of a passage follow no rule, there are too many passages or steps, a word that no input
/// changes would have to be stored, or `stop` has fired.
std::optional<std::vector<Tap>> permuted(DatapathBuilder& cells, const Passages& passages,
                                         const std::vector<int>& leafBits,
                                         const std::vector<Tap>& in, Used used,
                                         const std::stop_token& stop = {});

} // namespace marquetry::spacetime
