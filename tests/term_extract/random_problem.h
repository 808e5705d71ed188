// Random selection problems, with cycles, shared classes, negative costs, several roots and classes
// without a finite term; and the least DAG cost by trying every selection.
#pragma once

#include "engine/support/rng.h"
#include "engine/term_extract/selection.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <vector>

namespace marquetry::term_extract {

struct RandomShape {
    int classes = 8;
    int nodes = 3;    ///< at most, per class
    int children = 3; ///< at most, per node
    int lowest = 0;   ///< cost
    int highest = 9;
    int roots = 2; ///< at most
    bool cycles = true;
    double unit = 1; ///< of costs
};

inline SelectionProblem randomProblem(const RandomShape& shape, SplitMix64& rng) {
    SelectionProblem problem;
    for (int c = 0; c < shape.classes; ++c) {
        problem.addClass();
        for (std::int64_t n = rng.range(rng.range(0, 9) == 0 ? 0 : 1, shape.nodes); n > 0; --n) {
            std::vector<ClassIndex> children;
            for (std::int64_t k = rng.range(0, shape.children); k > 0; --k) {
                // Without cycles children have larger numbers, so the first classes need most.
                const std::int64_t low = shape.cycles ? 0 : c + 1;
                if (low < shape.classes)
                    children.push_back(static_cast<ClassIndex>(rng.range(low, shape.classes - 1)));
            }
            problem.addNode(
                static_cast<double>(rng.range(shape.lowest, shape.highest)) * shape.unit, children);
        }
    }
    for (std::int64_t r = rng.range(1, shape.roots); r > 0; --r)
        problem.roots.push_back(static_cast<ClassIndex>(
            rng.range(0, shape.cycles ? shape.classes - 1 : shape.classes / 3)));
    return problem;
}

/// Nothing when no term exists. Knows nothing of the code under test but the problem's lists.
class BruteForce {
public:
    explicit BruteForce(const SelectionProblem& problem)
        : problem_(problem), choice_(problem.classCount(), kNone) {}

    std::optional<double> leastDagCost() {
        extend(0, problem_.roots);
        return best_;
    }

private:
    /// Classes needed so far; those with a choice are done.
    void extend(double cost, const std::vector<ClassIndex>& needed) {
        const auto open = std::find_if(needed.begin(), needed.end(),
                                       [&](ClassIndex c) { return choice_[c] == kNone; });
        if (open == needed.end()) {
            if (acyclic() && (!best_ || cost < *best_))
                best_ = cost;
            return;
        }
        const ClassIndex c = *open;
        for (NodeIndex n = problem_.nodeBegin[c]; n < problem_.nodeBegin[c + 1]; ++n) {
            std::vector<ClassIndex> more = needed;
            const auto children = problem_.children(n);
            more.insert(more.end(), children.begin(), children.end());
            choice_[c] = n;
            extend(cost + problem_.cost[n], more);
            choice_[c] = kNone;
        }
    }

    bool acyclic() const {
        std::vector<int> state(choice_.size());
        const std::function<bool(ClassIndex)> visit = [&](ClassIndex c) {
            if (state[c] != 0)
                return state[c] == 2;
            state[c] = 1;
            for (const ClassIndex child : problem_.children(choice_[c]))
                if (!visit(child))
                    return false;
            state[c] = 2;
            return true;
        };
        return std::all_of(problem_.roots.begin(), problem_.roots.end(), visit);
    }

    const SelectionProblem& problem_;
    Selection choice_;
    std::optional<double> best_;
};

/// Takes long to solve: for limits and stops.
inline SelectionProblem hardProblem() {
    SplitMix64 rng(5);
    SelectionProblem problem;
    do
        problem = randomProblem(
            {.classes = 1'500, .nodes = 6, .children = 3, .lowest = -3, .highest = 12, .roots = 30},
            rng);
    while (!check(problem));
    return problem;
}

} // namespace marquetry::term_extract
