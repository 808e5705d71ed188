// Gradient boosting on what the counted terms leave of synthesised amounts (background/banking.md,
// "Cost": the draft predicts the amounts themselves with such a model).
//
// The target is the logarithm of made ÷ counted, cut off at a factor of two; squared error, trees
// of one cut, each scaled down; leaves shrink towards no correction. Ties go to the first feature
// and the lowest threshold, so that training is deterministic. Complexity: O(rounds · features ·
// rows · log rows). Thread rule: pure.
#pragma once

#include "tests/lower_memory/calibration/fit.h"

namespace marquetry::hdl {

struct BoostParams {
    int rounds = 100;
    double rate = 0.1;     ///< of each tree
    std::size_t least = 8; ///< rows on either side of a cut
};

/// As banking::correction takes them: one step for each cut that was made, by feature and
/// threshold, to four decimals.
struct BoostedSteps {
    double base = 0;
    std::vector<banking::CostStep> steps;

    double predicted(const Row& row, Amount amount) const {
        return counted(row, amount) * correction(base, steps, row.features);
    }
};
BoostedSteps boost(const std::vector<Row>& training, Amount amount, const BoostParams& params = {});

} // namespace marquetry::hdl
