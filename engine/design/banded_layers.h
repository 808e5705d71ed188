// The steps of layers that are computed in bands of rows (design/row_bands.h), made from the steps
// of whole ones.
//
// Complexity: O(layers · bands). Thread rule: pure.
#pragma once

#include "engine/design/tensor_slots.h"

#include <vector>

namespace marquetry::design {

/// Steps of layers one behind the other, and of the load of an input that only they read. All they
/// write lies in rings but what the last one does, which is stored as a whole.
struct BandedSteps {
    std::optional<LoadStep> load;
    std::vector<ComputeStep> calls;
    std::int64_t rows = 1; ///< of the first tensor that they write in a band
};

/// Adds the steps of all bands to the schedule, band after band, and gives the rings their depths.
void addBands(const BandedSteps& steps, TensorSlots& slots, Schedule& schedule);

} // namespace marquetry::design
