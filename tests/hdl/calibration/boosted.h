// Gradient-boosted regression trees: what is left of synthesised amounts by the counted terms
// (banking draft §4 predicts the amounts themselves with such a model).
//
// The target is the logarithm of made ÷ counted, cut off at a factor of two; squared error, small
// trees, each scaled down; leaves shrink towards no correction. Ties go to the first feature and
// the lowest threshold, so that training is deterministic. Complexity: O(rounds · depth · features
// · rows · log rows). Thread rule: pure.
#pragma once

#include "tests/hdl/calibration/fit.h"

#include <cstddef>
#include <vector>

namespace marquetry::hdl {

using Features = std::vector<double>;

/// Shares of the counted terms, widths, banks, lanes by kind of address, and the counted amount.
Features featuresOf(const Sample& sample, Amount amount);

struct BoostParams {
    int rounds = 40;
    int depth = 2;
    double rate = 0.1;     ///< of each tree
    std::size_t least = 8; ///< rows of a leaf
};

class BoostedModel {
public:
    BoostedModel(const std::vector<Sample>& training, Amount amount,
                 const BoostParams& params = {});

    double predicted(const Sample& sample) const;

private:
    struct Node {
        int feature = -1; ///< -1: a leaf
        double threshold = 0;
        double value = 0;
        std::size_t left = 0; ///< up to and with the threshold
        std::size_t right = 0;
    };
    using Tree = std::vector<Node>;

    struct Row {
        Features features;
        double rest = 0; ///< of the target by the trees so far
        double weight = 1;
    };
    using Rows = std::vector<const Row*>;

    std::size_t grow(Tree& tree, const Rows& rows, int depth) const;
    bool split(Node& node, const Rows& rows) const;
    static double valueOf(const Tree& tree, const Features& features);
    double correction(const Features& features) const;

    BoostParams params_;
    Amount amount_;
    std::vector<Tree> trees_;
};

/// By the factors in use (banking/cost_calibration.h).
double counted(const Sample& sample, Amount amount);

} // namespace marquetry::hdl
