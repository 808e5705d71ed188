// The steps of layers that are computed in bands of rows (design/row_bands.h), made from the steps
// of whole ones.
//
// Complexity: O(layers · bands). Thread rule: pure.
#pragma once

#include "engine/design/tensor_slots.h"

#include <variant>
#include <vector>

namespace marquetry::design {

/// A layer that moves rows of its operands one by one.
struct BandedMoves {
    std::vector<MoveStep> ofRow; ///< of each operand: those of one row (moves_of.h)
    std::int64_t repeat = 1;     ///< rows of the result for a row of an operand
};

using BandedLayer = std::variant<ComputeStep, BandedMoves>;

/// Steps of layers one behind the other, of the loads of what comes with their bands, and of the
/// stores of results that leave with them. All they write lies in rings but what the last one does
/// where it does not leave: that is stored as a whole.
struct BandedSteps {
    std::vector<LoadStep> loads; ///< what the first layer reads, if it comes, is the first
    std::vector<BandedLayer> layers;
    std::vector<StoreStep> stores;
    std::int64_t rows = 1; ///< of the first tensor that they write in a band
    std::size_t time = 0;  ///< at which they begin
    /// Bands that may be begun before an earlier one has ended (band_order.h); 0: the steps run one
    /// after another.
    std::size_t ahead = 0;
};

/// Adds the steps of all bands to the schedule, band after band or with their queues, and gives the
/// rings their places.
void addBands(const BandedSteps& steps, TensorSlots& slots, Schedule& schedule);

} // namespace marquetry::design
