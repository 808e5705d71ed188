// Where a program's activations have no room on the chip: its layers are cut into segments, and
// what one of them makes and others read lies in external memory.
//
// A segment is a run of layers in bands of rows (design/row_bands.h), or of layers as a whole whose
// tensors are on the chip. What only its own layers read stays there; of other values the segment
// stores what it makes, and loads what it reads. Its last result may stay on the chip as a whole if
// the next segment alone reads it. For a number of blocks that tensors may take, the cuts of least
// estimated clocks are found by dynamic programming: the clocks of all calls or those in which
// their external weights come, once for every band, whichever are more; those of all loads and
// stores; and those that begin and end the calls of each band. Sequencers and movers count as
// clocks, too, by a price of LUTs. A segment in bands has as few of them as fit.
//
// It is an estimate: what a design takes is known when its schedule is built. Values that cannot
// lie in external memory stay on the chip from the segment on that makes them. Complexity: O(layers
// · longest run · numbers of bands) for each number of blocks and price. Thread rule: pure; one
// memo per thread.
#pragma once

#include "engine/design/build_schedule.h"
#include "engine/design/row_bands.h"
#include "engine/device/device.h"

#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <vector>

namespace marquetry::extract {

/// Of one run of bands at most.
inline constexpr std::size_t kMostSegmentLayers = 16;

/// What a layer takes with everything on the chip.
struct LayerDemand {
    double clocks = 0;
    double weightBytes = 0; ///< of weights that may be external
    bool mayBand = false;   ///< its unit computes in bands
};

/// Layers in bands, whatever their units are: tensors as planBands numbers them.
struct SegmentRun {
    std::vector<std::size_t> values; ///< by tensor: index of its ValueId
    std::vector<design::BandedTensor> tensors;
    std::vector<design::RowUse> uses;
    std::map<std::int64_t, std::vector<std::int64_t>> kept; ///< by rows of a band: of each tensor
    bool may = false;
};

/// What the designs of a program learn from one another: by first and last layer, and whether the
/// result of the layer before is on the chip.
using SegmentMemo = std::map<std::tuple<std::size_t, std::size_t, bool>, SegmentRun>;

struct SegmentProblem {
    const design::ScheduleRequest& request; ///< without bands
    const design::Schedule& whole;          ///< of the request
    const device::Device& device;
    std::vector<LayerDemand> layers;
    design::ExternalMemory memory;
};

/// Of a plan: its segments in bands, and the values between all of them.
struct SegmentCuts {
    std::vector<design::LayerBands> bands;
    std::vector<ir::ValueId> outside;
    double clocks = 0; ///< estimated
    bool operator==(const SegmentCuts& other) const {
        return bands == other.bands && outside == other.outside;
    }
};

struct SegmentLimits {
    double blocks = 0;    ///< of all tensors that are there at once
    double largest = 0;   ///< of each: those of segments that are alike share more of their slots
    double lutClocks = 0; ///< that a LUT counts as
    bool mayLeave = true; ///< values may lie in external memory
};

class SegmentPlanner {
public:
    SegmentPlanner(const SegmentProblem& problem, SegmentMemo& memo);
    ~SegmentPlanner();
    SegmentPlanner(const SegmentPlanner&) = delete;
    SegmentPlanner& operator=(const SegmentPlanner&) = delete;

    /// Nothing where no cuts fit.
    std::optional<SegmentCuts> best(const SegmentLimits& limits);

private:
    class Plan;
    std::unique_ptr<Plan> plan_;
};

} // namespace marquetry::extract
