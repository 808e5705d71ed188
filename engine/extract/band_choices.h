// Which layers may be computed in bands of rows where their tensors have no room as a whole
// (design/row_bands.h).
//
// A run of layers gains something where a tensor lies between two of them, or where an input comes
// with its bands. Runs are tried from the shortest on, each with as few bands as fit: every band
// begins and ends each of its layers once more. Longer ones than the shortest that fit may leave
// more room, in which weights stay. Before, bands as low as there may be are tried on the longest
// run that ends with each layer: where none of them has room, no others are looked at. Complexity:
// O(layers · length) runs, O(log rows) bands each. Thread rule: pure.
#pragma once

#include "engine/design/build_schedule.h"

#include <functional>
#include <utility>
#include <vector>

namespace marquetry::extract {

inline constexpr std::size_t kMostBandChoices = 4;
/// Layers that a run may have more than the shortest that fits.
inline constexpr std::size_t kMoreBandedLayers = 3;
/// Of a schedule with bands: more are no table of constants any more.
inline constexpr std::int64_t kMostBandedSteps = 1'000;

/// First and last layers of the runs that were chosen for a design of a program: others of it try
/// only these.
using BandRuns = std::vector<std::pair<std::size_t, std::size_t>>;

/// Runs of layers with as few bands as fit: those that take the fewest blocks of RAM, and then the
/// fewest layers. `may`: by layer, whether its unit computes in bands. `blocksOf`: what a
/// schedule's slots take, of which there are `limit`.
std::vector<design::LayerBands>
bandChoices(const design::ScheduleRequest& request, const std::vector<bool>& may,
            const std::function<double(const design::Schedule&)>& blocksOf, double limit,
            BandRuns& known);

} // namespace marquetry::extract
