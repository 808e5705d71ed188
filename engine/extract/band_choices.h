// Which layers may be computed in bands of rows where their tensors have no room as a whole
// (design/row_bands.h).
//
// A run of layers gains something where a tensor lies between two of them, or where an input comes
// with its bands. Runs are tried from the shortest on, each with as few bands as fit among heights
// halved again and again. Those that take the fewest blocks, which leave room for weights, and
// those that take the fewest clocks are chosen, also with the highest bands that fit, and with the
// highest that leave room for all weights: every band begins and ends each of its layers once
// more, and waits for weights that are external. Before, bands as low as there may be are tried on
// the longest run that ends with each layer and on the shortest ones: where none of them has room,
// no others are looked at. It is a search among some bands: others may be better, and others may
// fit where none of these do. An input that comes in bands is loaded behind those that come as a
// whole. Where the plan was cut into segments before (cut_choices.h), their runs are tried alone.
// Complexity: O(layers · length) runs, O(log rows) bands each. Thread rule: pure.
#pragma once

#include "engine/design/build_schedule.h"
#include "engine/extract/segments.h"

#include <functional>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace marquetry::extract {

/// With the fewest blocks, and as many with the fewest clocks.
inline constexpr std::size_t kMostBandedRuns = 4;
/// Layers that a run may have more than the shortest that fits.
inline constexpr std::size_t kMoreBandedLayers = 3;
/// Of a schedule with bands: more are no table of constants any more.
inline constexpr std::int64_t kMostBandedSteps = 1'000;

/// What the designs of a program learn from one another.
struct BandRuns {
    /// First and last layers of the runs that were chosen: others try these first.
    std::vector<std::pair<std::size_t, std::size_t>> known;
    bool cut = false; ///< time was up before all bands were tried
    SegmentMemo segments;
};

/// What a design with some bands takes at least.
struct BandCost {
    double blocks = 0;       ///< of RAM
    double onChip = 0;       ///< of RAM, with all weights on the chip
    std::int64_t cycles = 0; ///< without waiting for weights
};

struct BandProblem {
    const design::ScheduleRequest& request;
    std::vector<bool> may; ///< by layer: its unit computes in bands
    std::function<BandCost(const design::Schedule&, const design::LayerBands&)> costOf;
    double limit = 0;            ///< of blocks
    std::function<bool()> ended; ///< time is up, or nobody waits
    /// Runs that are tried, in place of all, and those that are known.
    std::optional<std::vector<std::pair<std::size_t, std::size_t>>> runs = {};
};

struct BandChoices {
    std::vector<design::LayerBands> fitting;
    /// The least of all that were tried.
    double leastBlocks = std::numeric_limits<double>::infinity();
};

BandChoices bandChoices(const BandProblem& problem, BandRuns& runs);

} // namespace marquetry::extract
