#include "engine/term_extract/branch_and_bound.h"

#include "engine/term_extract/bound.h"
#include "engine/term_extract/reduce.h"
#include "engine/term_extract/split.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace marquetry::term_extract {

namespace {

constexpr int kMaxSearchDepth = 256;

class BranchAndBound {
public:
    BranchAndBound(const BranchParams& params, const Limits& limits, double room)
        : params_(params), limits_(limits), room_(room) {}

    Selection solve(const SelectionProblem& problem, double cutoff, int depth) {
        if (++steps_ > params_.maxSteps || depth > kMaxSearchDepth || limits_.reached()) {
            complete_ = false;
            return {};
        }
        const Reduction reduction = reduce(problem, {cutoff}, limits_);
        if (reduction.hopeless)
            return {};
        const std::vector<Part> parts = split(reduction.problem);
        std::vector<SplitBound> bounds;
        double total = reduction.fixedCost;
        for (const Part& part : parts) {
            bounds.push_back(splitBound(part.problem, strongComponents(part.problem)));
            total += bounds.back().total;
        }
        Selection whole(reduction.problem.classCount(), kNone);
        for (std::size_t k = 0; k < parts.size(); ++k) {
            if (total >= cutoff)
                return {};
            const Selection part =
                branch(parts[k].problem, bounds[k], cutoff - (total - bounds[k].total), depth);
            if (part.empty())
                return {};
            total += dagCost(parts[k].problem, part) - bounds[k].total;
            merge(parts[k], part, whole);
        }
        if (total >= cutoff)
            return {};
        return reduction.expand(problem, whole);
    }

    bool complete() const { return complete_; }
    std::uint64_t steps() const { return steps_; }

private:
    /// The root class whose nodes' bounds are furthest apart; kNone when no root has a choice.
    static ClassIndex pickClass(const SelectionProblem& problem, const SplitBound& bound) {
        ClassIndex best = kNone;
        double bestRegret = -1;
        for (const ClassIndex c : problem.roots) {
            std::vector<double> values(bound.value.begin() + problem.nodeBegin[c],
                                       bound.value.begin() + problem.nodeBegin[c + 1]);
            if (values.size() < 2)
                continue;
            std::nth_element(values.begin(), values.begin() + 1, values.end());
            const double regret =
                (values[1] - *std::min_element(values.begin(), values.begin() + 1)) /
                static_cast<double>(values.size());
            if (regret > bestRegret) {
                bestRegret = regret;
                best = c;
            }
        }
        return best;
    }

    Selection branch(const SelectionProblem& problem, const SplitBound& bound, double cutoff,
                     int depth) {
        const ClassIndex c = pickClass(problem, bound);
        if (c == kNone) { // the reduction ran into a limit
            complete_ = false;
            return {};
        }
        std::vector<NodeIndex> nodes(problem.nodeBegin[c + 1] - problem.nodeBegin[c]);
        std::iota(nodes.begin(), nodes.end(), problem.nodeBegin[c]);
        std::stable_sort(nodes.begin(), nodes.end(),
                         [&](NodeIndex a, NodeIndex b) { return bound.value[a] < bound.value[b]; });
        Selection best;
        for (const NodeIndex n : nodes) {
            if (bound.total - bound.share[c] + bound.value[n] >= cutoff)
                break;
            const Part restricted = restrictTo(problem, c, n);
            const Selection found = solve(restricted.problem, cutoff, depth + 1);
            if (found.empty())
                continue;
            best.assign(problem.classCount(), kNone);
            merge(restricted, found, best);
            const double cost = dagCost(problem, best);
            cutoff = cost - std::max(room_, kCostTolerance * std::max(1.0, std::abs(cost)));
        }
        return best;
    }

    const BranchParams& params_;
    const Limits& limits_;
    const double room_;
    std::uint64_t steps_ = 0;
    bool complete_ = true;
};

/// Nearly the greatest common divisor of all costs when they are integers, else 0.
double roomBetweenCosts(const SelectionProblem& problem) {
    constexpr double kLargest = 1e12;
    std::int64_t divisor = 0;
    for (const double cost : problem.cost) {
        if (cost != std::floor(cost) || std::abs(cost) > kLargest)
            return 0;
        divisor = std::gcd(divisor, static_cast<std::int64_t>(cost));
    }
    return static_cast<double>(divisor) * (1 - 1e-6);
}

} // namespace

double cutoffBelow(const SelectionProblem& problem, double cost) {
    return cost -
           std::max(roomBetweenCosts(problem), kCostTolerance * std::max(1.0, std::abs(cost)));
}

BranchResult branchAndBound(const SelectionProblem& problem, const BranchParams& params,
                            const Limits& limits) {
    BranchAndBound search(params, limits, roomBetweenCosts(problem));
    BranchResult result;
    result.best = search.solve(problem, params.cutoff, 0);
    result.complete = search.complete();
    result.steps = search.steps();
    return result;
}

} // namespace marquetry::term_extract
