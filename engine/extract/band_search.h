// Layers in bands of rows, and values in external memory, for a design whose tensors have no room
// as a whole (design/row_bands.h).
//
// Of the bands and cuts that fit (band_choices.h, cut_choices.h) the fastest by a replay is taken,
// then later bands are begun before earlier ones have ended where that is faster
// (design/band_order.h). It is a search among some of them: others may be better. Complexity: that
// of the choices, and a schedule with its memories for each that fits. Thread rule: one object per
// thread.
#pragma once

#include "engine/design/cycle_model.h"
#include "engine/extract/band_choices.h"
#include "engine/extract/cut_choices.h"
#include "engine/extract/memory_choice.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace marquetry::extract {

/// A schedule, what it was made of, and its memories.
struct BandedDesign {
    design::ScheduleRequest request; ///< of weights on the chip
    design::Schedule schedule;
    MemoryChoice memories;
};

class BandSearch {
public:
    using ChooserOf = std::function<MemoryChooser(const design::Schedule&)>;

    /// `lutsShort`: choosers know how many LUTs units leave.
    BandSearch(const UnplacedDesign& unplaced, BandRuns& runs, ChooserOf chooserOf, bool lutsShort)
        : unplaced_(unplaced),
          problem_(unplaced.problem),
          params_(unplaced.params),
          runs_(runs),
          chooserOf_(std::move(chooserOf)),
          lutsShort_(lutsShort) {}

    /// The fastest that fits, the design of whole layers among them, takes its place. Returns the
    /// fewest blocks that any of the others needs.
    double improve(BandedDesign& design);

private:
    std::vector<SegmentCuts> fittingCuts(const BandedDesign& whole);
    CutProblem cutProblem(const BandedDesign& whole) const;
    BandProblem bandProblem(const design::ScheduleRequest& request) const;
    std::vector<LayerDemand> layerDemands(const BandedDesign& whole) const;
    bool mayBand(std::size_t call) const;
    std::int64_t replayed(const design::ScheduleRequest& request, const design::Schedule& schedule,
                          const MemoryPlan& plan) const;
    void beginAhead(BandedDesign& design, std::int64_t least) const;
    void takeFaster(design::ScheduleRequest together, BandedDesign& design,
                    std::int64_t& least) const;

    const UnplacedDesign& unplaced_;
    const ExtractionProblem& problem_;
    const ExtractParams& params_;
    BandRuns& runs_;
    ChooserOf chooserOf_;
    bool lutsShort_;
    double needs_ = 0;
};

/// Steps of such designs may run beside others: stream units have no second sequencer.
bool mayRunBeside(const ExtractionProblem& problem, const BlockPlan& blocks);

/// Where the plan has the weights of the calls.
void readExternally(const ExtractionProblem& problem, const MemoryPlan& plan,
                    design::ScheduleRequest& request);

/// Clocks of loads and stores, with what they wait for memory.
std::int64_t transfersOf(const design::Schedule& schedule,
                         const design::CyclePrediction& prediction);

} // namespace marquetry::extract
