#include "tests/lower_memory/calibration/boosted.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace marquetry::hdl {

namespace {

/// Rows so many in a leaf count half.
constexpr double kShrinkage = 3;
/// Errors of tiny memories count little.
constexpr double kSmall = 40;
constexpr double kMost = 0.7; // a factor of two

struct Leaf {
    double rest = 0;
    double weight = 0;

    /// What a leaf of these rows takes off the squared error.
    double gain() const { return weight > 0 ? rest * rest / weight : 0; }
    double value() const { return rest / (weight + kShrinkage); }
};

struct Target {
    const Row* row;
    double rest; ///< by the trees so far
    double weight;
};

struct Cut {
    std::size_t feature = 0;
    double threshold = 0;
    Leaf low;
    Leaf high;
};

/// The cut that takes most off the squared error.
class BestCut {
public:
    BestCut(const std::vector<Target>& targets, std::size_t least) : least_(least) {
        for (const Target& target : targets) {
            all_.rest += target.rest * target.weight;
            all_.weight += target.weight;
            order_.push_back(&target);
        }
        best_ = all_.gain() + 1e-9;
        for (std::size_t f = 0; f < banking::kCostFeatures; ++f)
            lookAt(f);
    }

    const Cut& cut() const { return cut_; }

private:
    void lookAt(std::size_t feature) {
        const auto valueOf = [feature](const Target* t) { return t->row->features[feature]; };
        auto order = order_;
        std::ranges::stable_sort(order, {}, valueOf);
        Leaf low;
        for (std::size_t k = 0; k + least_ < order.size(); ++k) {
            low.rest += order[k]->rest * order[k]->weight;
            low.weight += order[k]->weight;
            const double here = valueOf(order[k]);
            const double next = valueOf(order[k + 1]);
            if (k + 1 < least_ || here == next)
                continue;
            const Leaf high{all_.rest - low.rest, all_.weight - low.weight};
            if (low.gain() + high.gain() <= best_)
                continue;
            best_ = low.gain() + high.gain();
            cut_ = {feature, (here + next) / 2, low, high};
        }
    }

    std::size_t least_;
    Leaf all_;
    double best_ = 0;
    Cut cut_;
    std::vector<const Target*> order_;
};

double rounded(double value) {
    return std::round(value * 1e4) / 1e4;
}

} // namespace

BoostedSteps boost(const std::vector<Row>& training, Amount amount, const BoostParams& params) {
    std::vector<Target> targets;
    for (const Row& row : training) {
        const double made = std::max(1.0, row.made);
        const double ratio = std::log(made / std::max(1.0, counted(row, amount)));
        targets.push_back({&row, std::clamp(ratio, -kMost, kMost), made / (made + kSmall)});
    }
    double base = 0;
    std::map<std::pair<std::size_t, double>, double> rises;
    for (int round = 0; round < params.rounds; ++round) {
        const Cut cut = BestCut(targets, params.least).cut();
        const double low = params.rate * cut.low.value();
        const double rise = params.rate * cut.high.value() - low;
        base += low;
        rises[{cut.feature, cut.threshold}] += rise;
        for (Target& target : targets)
            target.rest -= low + (target.row->features[cut.feature] > cut.threshold ? rise : 0);
    }
    BoostedSteps steps;
    steps.base = rounded(base);
    for (const auto& [at, rise] : rises)
        steps.steps.push_back({at.first, at.second, rounded(rise)});
    return steps;
}

} // namespace marquetry::hdl
