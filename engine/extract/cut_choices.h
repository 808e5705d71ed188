// Cuts of a plan into segments (segments.h) for a design: those that fit, and are estimated to be
// the fastest.
//
// How much of what a design takes is known only when its schedule is built: slots hold tensors of
// several segments, and some are built of LUTs. So cuts are made for some limits of what tensors
// take at once, and for some of each: where segments are alike, their tensors share slots. Each is
// built once. Complexity: O(limits) schedules. Thread rule: pure.
#pragma once

#include "engine/extract/segments.h"

#include <functional>
#include <limits>
#include <utility>
#include <vector>

namespace marquetry::extract {

/// That are given.
inline constexpr std::size_t kMostCuts = 4;

struct CutProblem {
    SegmentProblem segments;
    /// Blocks that a schedule with these bands takes at least.
    std::function<double(const design::Schedule&, const std::vector<design::LayerBands>&)> needsOf;
    double limit = 0;            ///< of blocks
    double luts = 0;             ///< of which some may hold tensors
    bool lutsShort = false;      ///< a LUT counts as more clocks
    std::function<bool()> ended; ///< time is up, or nobody waits
};

struct CutChoices {
    std::vector<SegmentCuts> fitting; ///< with values in external memory, the fastest first
    /// First and last layers of runs with which everything may be on the chip, if each is the only
    /// one in bands.
    std::vector<std::pair<std::size_t, std::size_t>> runs;
    /// The least of all that were tried.
    double leastBlocks = std::numeric_limits<double>::infinity();
};

CutChoices cutChoices(const CutProblem& problem, SegmentMemo& memo);

/// The request with the layers in bands and the values outside.
design::ScheduleRequest withCuts(design::ScheduleRequest request, const SegmentCuts& cuts);

} // namespace marquetry::extract
