#include "engine/term_extract/greedy.h"

#include "engine/term_extract/tree.h"

#include <algorithm>

namespace marquetry::term_extract {

namespace {

/// By class: how often the fully written out term contains it.
std::vector<double> occurrences(const SelectionProblem& problem, const Selection& selection) {
    std::vector<std::uint32_t> users(problem.classCount());
    std::vector<double> times(problem.classCount());
    for (const NodeIndex n : selection)
        if (n != kNone)
            for (const ClassIndex child : problem.children(n))
                ++users[child];
    std::vector<ClassIndex> order;
    for (const ClassIndex root : problem.roots)
        times[root] += 1;
    for (ClassIndex c = 0; c < problem.classCount(); ++c)
        if (selection[c] != kNone && users[c] == 0)
            order.push_back(c);
    for (std::size_t at = 0; at < order.size(); ++at)
        for (const ClassIndex child : problem.children(selection[order[at]])) {
            times[child] = std::min(times[child] + times[order[at]], 1e300);
            if (--users[child] == 0)
                order.push_back(child);
        }
    return times;
}

} // namespace

Selection extractGreedy(const SelectionProblem& problem) {
    constexpr int kRounds = 12;
    Selection best = extractTree(problem);
    double bestCost = dagCost(problem, best);
    Selection current = best;
    std::vector<double> price = problem.cost;
    for (int round = 0; round < kRounds; ++round) {
        const std::vector<double> times = occurrences(problem, current);
        for (ClassIndex c = 0; c < problem.classCount(); ++c)
            if (current[c] != kNone)
                price[current[c]] = problem.cost[current[c]] / std::max(1.0, times[c]);
        Selection next = treeChoice(problem, price).of;
        prune(problem, next);
        const double cost = dagCost(problem, next);
        if (costsLess(cost, bestCost)) {
            best = next;
            bestCost = cost;
        }
        if (next == current)
            break;
        current = std::move(next);
    }
    return best;
}

} // namespace marquetry::term_extract
