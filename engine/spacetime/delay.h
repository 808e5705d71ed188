// Delays of L_st programs in clocks (background/aetherling.md, "Delays").
//
// The delay of a program is the time from the first slot of its inputs to the first slot of its
// output. Where values of different delay meet, the circuit needs a fifo on the earlier one;
// constants and counters start later instead, at no cost.
// Two models: the published one, whose reduce has a register before and one behind its operators
// and whose products are pipelined blocks, constant or not; and that of our hardware, with one
// register behind a reduce, none for a reduce of one element, products with a constant made of
// sums without a register (area_table.h), and tables in block RAM read at the end of a clock. There
// the function of a reduce may have a delay d: in space every level of the tree takes d clocks, in
// time elements must be more than d clocks apart. The state of a scan waits for what its function
// makes of the element before it meets the state; only what follows then is a loop.
//
// Errors: delay-mismatch, too-large (of a reshape). Complexity: linear in the graph, but for a
// reshape: that of regroupingDelay. Thread rule: pure.
#pragma once

#include "engine/spacetime/constants.h"
#include "engine/support/result.h"

namespace marquetry::spacetime {

/// Clocks by which a reshape must hold its output back so that every element has come in the
/// clock before it leaves; 0 when wires do. Nothing as regroupingDelay.
std::optional<std::int64_t> reshapeDelay(const SeqType& from, const SeqType& to);

enum class DelayModel : std::uint8_t { Published, Ours };

/// Delay of a well-typed program whose operands meet at equal delays everywhere.
Result<std::int64_t> delay(const Graph& graph, DelayModel model = DelayModel::Published);

/// Clocks from the first slot of the inputs to that of each node; nothing for what generators alone
/// feed: they start when they are needed. The first input comes after `first` clocks, as the state
/// of a scan does. Index: NodeId.
Result<std::vector<std::optional<std::int64_t>>>
startsOf(const Graph& graph, DelayModel model = DelayModel::Ours, std::int64_t first = 0);

/// How the function of a scan meets its state, in clocks.
struct StateTiming {
    std::int64_t start = 0; ///< from the element to when the state is needed first
    std::int64_t loop = 0;  ///< from then to the next state
};
/// Of a function whose operators take the clocks `own`, by node: as late as its elements allow.
StateTiming stateTiming(const Graph& function, const std::vector<std::int64_t>& own);
/// Of one whose operands meet at equal delays.
Result<StateTiming> stateTiming(const Graph& function, DelayModel model);

/// Delay of one operator; what its operands carry, and what its result has, comes from outside.
/// Its function must meet the condition above.
Result<std::int64_t> ownDelay(const Node& node, const std::vector<SeqType>& operands,
                              const std::vector<MaybeConstants>& constants, DelayModel model);

/// Levels of a balanced tree over n values.
std::int64_t treeLevels(std::int64_t n);

/// Constants and counters start when they are needed.
bool isGenerator(const Node& node);

} // namespace marquetry::spacetime
