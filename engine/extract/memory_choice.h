// Of what memories a schedule's tensors and weights are: blocks of RAM or LUTs, on the chip or not.
//
// Slots take LUTs at a price of blocks (buffer_plans.h): those that take the fewest for a block
// come first. For each price at which there are LUTs enough the best choice of weights is made
// (memory_plan.h), and the fastest is taken. Complexity: O(slots) such choices. Thread rule: one
// object per thread.
#pragma once

#include "engine/extract/memory_plan.h"
#include "engine/extract/weight_demands.h"

#include <functional>
#include <optional>
#include <vector>

namespace marquetry::extract {

struct MemoryChoice {
    WeightDemands demands;
    MemoryPlan plan;
    LutPrice price; ///< of the slots

    /// Memories are built of LUTs for want of blocks.
    bool isSparing() const;
};

class MemoryChooser {
public:
    /// `otherLuts`: what all but memories takes, where it is known.
    MemoryChooser(const UnplacedDesign& unplaced, std::optional<double> otherLuts)
        : unplaced_(unplaced), otherLuts_(otherLuts) {}

    bool hasRoom(const MemoryChoice& choice) const;
    /// For memories of so many LUTs.
    bool hasLuts(double luts) const { return luts <= lutLimit(); }

    /// Of layers as a whole with slots of as few LUTs as there is room for the weights, or for all
    /// of them on the chip; of bands with those that are fastest. None fits: with the first ones.
    MemoryChoice best(const design::Schedule& schedule,
                      const std::vector<design::LayerBands>& bands) const;

    /// Of the whole design, with whichever slots. Endless: there are not LUTs enough for any.
    WeightBlocks blocks(const design::Schedule& schedule, WeightDemands demands) const;

private:
    /// With more and more slots of LUTs: from none on, or from the usual ones.
    enum class From : std::uint8_t { None, Usual };

    double lutLimit() const { return unplaced_.params.limits.lut - otherLuts_.value_or(0); }
    double lutsForRings(const device::Resources& slots) const;
    MemoryChoice bestFrom(From from, const design::Schedule& schedule,
                          const std::vector<design::LayerBands>& bands) const;
    void eachPrice(const design::Schedule& schedule, From from, WeightDemands& demands,
                   const std::function<bool(LutPrice)>& visit) const;

    const UnplacedDesign& unplaced_;
    std::optional<double> otherLuts_;
};

} // namespace marquetry::extract
