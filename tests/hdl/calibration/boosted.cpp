#include "tests/hdl/calibration/boosted.h"

#include "engine/banking/hardware_plan.h"

#include <algorithm>
#include <cmath>

namespace marquetry::hdl {

namespace {

/// Rows so many in a leaf count half.
constexpr double kShrinkage = 3;
/// Errors of tiny memories count little.
constexpr double kSmall = 40;

struct Sums {
    double rest = 0;
    double weight = 0;

    /// What a leaf of these rows takes off the squared error.
    double gain() const { return weight > 0 ? rest * rest / weight : 0; }
};

double factorOf(std::size_t term, Amount amount) {
    const banking::CostFactor& factor = banking::kCostFactors[term];
    return amount == Amount::Lut ? factor.lut : factor.ff;
}

void addLanes(const BankedMemory& memory, Features& features) {
    double lanes = 0;
    double writers = 0;
    double seen = 0;
    double byMode[4] = {};
    for (const banking::GroupHardware& group : memory.plan.groups)
        for (const banking::LaneHardware& lane : group.lanes) {
            ++lanes;
            writers += lane.write ? 1 : 0;
            seen += static_cast<double>(lane.seen);
            ++byMode[group.tabulated ? 3 : static_cast<std::size_t>(lane.mode)];
        }
    features.insert(features.end(), {lanes, writers, seen});
    features.insert(features.end(), std::begin(byMode), std::end(byMode));
}

} // namespace

double counted(const Sample& sample, Amount amount) {
    const Terms terms = countedTerms(sample, amount);
    double sum = 0;
    for (std::size_t t = 0; t < terms.size(); ++t)
        sum += terms[t] * factorOf(t, amount);
    return sum;
}

Features featuresOf(const Sample& sample, Amount amount) {
    const Terms terms = countedTerms(sample, amount);
    const double all = std::max(1.0, counted(sample, amount));
    Features features;
    for (std::size_t t = 0; t < terms.size(); ++t)
        features.push_back(terms[t] * factorOf(t, amount) / all);
    const BankedMemory memory = memoryOf(sample);
    const std::int64_t banks = memory.scheme.banks();
    const auto depth = static_cast<double>(memory.scheme.depth);
    features.insert(
        features.end(),
        {static_cast<double>(memory.pattern.bits), static_cast<double>(memory.pattern.ports),
         static_cast<double>(banks), static_cast<double>(memory.scheme.copies), depth,
         sample.blockRam ? 1.0 : 0.0, static_cast<double>(memory.pattern.dims.size()),
         static_cast<double>(banking::stateBits(memory.scheme)),
         (banks & (banks - 1)) != 0 ? 1.0 : 0.0, sample.blockRam ? 0 : depth / 64, all});
    addLanes(memory, features);
    return features;
}

BoostedModel::BoostedModel(const std::vector<Sample>& training, Amount amount,
                           const BoostParams& params)
    : params_(params), amount_(amount) {
    constexpr double kMost = 0.7; // a factor of two
    std::vector<Row> rows;
    Rows all;
    for (const Sample& sample : training) {
        const double truth = std::max(1.0, made(sample, amount));
        const double ratio = std::log(truth / std::max(1.0, counted(sample, amount)));
        rows.push_back({featuresOf(sample, amount), std::clamp(ratio, -kMost, kMost),
                        truth / (truth + kSmall)});
    }
    for (const Row& row : rows)
        all.push_back(&row);
    for (int round = 0; round < params_.rounds; ++round) {
        Tree tree;
        grow(tree, all, params_.depth);
        for (Row& row : rows)
            row.rest -= params_.rate * valueOf(tree, row.features);
        trees_.push_back(std::move(tree));
    }
}

std::size_t BoostedModel::grow(Tree& tree, const Rows& rows, int depth) const {
    const std::size_t index = tree.size();
    Node node;
    Sums sums;
    for (const Row* row : rows) {
        sums.rest += row->rest * row->weight;
        sums.weight += row->weight;
    }
    node.value = sums.rest / (sums.weight + kShrinkage);
    tree.push_back(node);
    if (depth == 0 || !split(node, rows))
        return index;
    Rows left;
    Rows right;
    for (const Row* row : rows)
        (row->features[static_cast<std::size_t>(node.feature)] <= node.threshold ? left : right)
            .push_back(row);
    node.left = grow(tree, left, depth - 1);
    node.right = grow(tree, right, depth - 1);
    tree[index] = node;
    return index;
}

/// The cut that takes most off the squared error; false: none does.
bool BoostedModel::split(Node& node, const Rows& rows) const {
    Sums all;
    for (const Row* row : rows) {
        all.rest += row->rest * row->weight;
        all.weight += row->weight;
    }
    double best = all.gain() + 1e-9;
    for (std::size_t f = 0; f < rows.front()->features.size(); ++f) {
        Rows order = rows;
        std::ranges::stable_sort(order, {}, [&](const Row* row) { return row->features[f]; });
        Sums low;
        for (std::size_t k = 0; k + params_.least < order.size(); ++k) {
            low.rest += order[k]->rest * order[k]->weight;
            low.weight += order[k]->weight;
            const double here = order[k]->features[f];
            const double next = order[k + 1]->features[f];
            if (k + 1 < params_.least || here == next)
                continue;
            const Sums high{all.rest - low.rest, all.weight - low.weight};
            if (low.gain() + high.gain() <= best)
                continue;
            best = low.gain() + high.gain();
            node.feature = static_cast<int>(f);
            node.threshold = (here + next) / 2;
        }
    }
    return node.feature >= 0;
}

double BoostedModel::valueOf(const Tree& tree, const Features& features) {
    const Node* node = tree.data();
    while (node->feature >= 0) {
        const bool low = features[static_cast<std::size_t>(node->feature)] <= node->threshold;
        node = &tree[low ? node->left : node->right];
    }
    return node->value;
}

double BoostedModel::correction(const Features& features) const {
    double sum = 0;
    for (const Tree& tree : trees_)
        sum += params_.rate * valueOf(tree, features);
    return std::exp(sum);
}

double BoostedModel::predicted(const Sample& sample) const {
    return counted(sample, amount_) * correction(featuresOf(sample, amount_));
}

} // namespace marquetry::hdl
