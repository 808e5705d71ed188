// How many elements a word of storage has. All units of a design read words of this many lanes.
//
// Thread rule: pure.
#pragma once

#include "engine/rules/lowering.h"

namespace marquetry::rules {

/// Those that designs may have: of 8, 16, 32, 64, or the one that `params` or the policy give.
/// Widths with which what one layer reads and writes exceeds `onChipBits` are out; when all are, it
/// is 8.
std::vector<std::int64_t> offeredLanes(const ir::Program& program, const ir::LayerPlan& plan,
                                       const LoweringParams& params);

/// Numbers of channels up to which depth-wise convolutions may be convolutions in groups, beside 0:
/// those of the program that are at most kMostGroupedChannels, where any are.
std::vector<std::int64_t> offeredGroups(const ir::Program& program, const LoweringParams& params);

/// In groups the products are channels times as many; of more channels than these a lane unit is
/// faster.
inline constexpr std::int64_t kMostGroupedChannels = 16;

/// A guess: the narrowest of those that are offered with which one shared unit as large as
/// `multipliers` allows takes at most 15 % more cycles than with the best of them: wide words pay
/// for channel padding, narrow ones limit the rows that can be written at once.
std::int64_t chooseLanes(const ir::Program& program, const ir::LayerPlan& plan,
                         const LoweringParams& params);

/// As `params` ask for. Where it is left open and calls may be streamed, a wider word than
/// chooseLanes gives is taken when more convolutions fit in one (streaming.h), the layers take
/// fewer cycles that way by the same estimate, a streamed one those of its pixels, and every layer
/// has a unit: within the multipliers, or streamed within streamLuts.
std::int64_t lanesFor(const ir::Program& program, const ir::LayerPlan& plan,
                      const LoweringParams& params);

} // namespace marquetry::rules
