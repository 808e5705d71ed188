#include "engine/term_extract/bound.h"

#include <algorithm>

namespace marquetry::term_extract {

namespace {

/// By class: 1 / (classes that use it), 0 for roots.
std::vector<double> weights(const SelectionProblem& problem) {
    std::vector<double> users(problem.classCount());
    std::vector<ClassIndex> lastUser(problem.classCount(), kNone);
    for (ClassIndex c = 0; c < problem.classCount(); ++c)
        for (std::uint32_t k = problem.childBegin[problem.nodeBegin[c]];
             k < problem.childBegin[problem.nodeBegin[c + 1]]; ++k) {
            const ClassIndex d = problem.child[k];
            if (lastUser[d] != c)
                users[d] += 1;
            lastUser[d] = c;
        }
    for (double& count : users)
        count = count > 0 ? 1 / count : 0;
    for (const ClassIndex root : problem.roots)
        users[root] = 0;
    return users;
}

} // namespace

SplitBound splitBound(const SelectionProblem& problem, const Components& components) {
    const std::vector<double> weight = weights(problem);
    SplitBound bound;
    bound.share.resize(problem.classCount());
    bound.value.resize(problem.nodeCount());
    std::vector<double> gain(problem.classCount());
    for (ClassIndex c = 0; c < problem.classCount(); ++c) {
        for (NodeIndex n = problem.nodeBegin[c]; n < problem.nodeBegin[c + 1]; ++n)
            gain[c] = std::min(gain[c], problem.cost[n]);
        bound.total += gain[c];
    }
    std::vector<std::uint32_t> mark(problem.classCount()); // a child listed twice pays once
    std::uint32_t stamp = 0;
    const auto update = [&](ClassIndex c) {
        double least = std::numeric_limits<double>::infinity();
        for (NodeIndex n = problem.nodeBegin[c]; n < problem.nodeBegin[c + 1]; ++n) {
            double sum = problem.cost[n] - gain[c];
            ++stamp;
            for (const ClassIndex d : problem.children(n)) {
                sum += mark[d] == stamp ? 0 : bound.share[d] * weight[d];
                mark[d] = stamp;
            }
            bound.value[n] = sum;
            least = std::min(least, sum);
        }
        const bool changed = least > bound.share[c] && least < 1e300;
        bound.share[c] = changed ? least : bound.share[c];
        return changed;
    };
    for (std::size_t k = 0; k < components.classes.size(); ++k) {
        // Rising from zero, every round is a bound; in a cycle a few rounds catch most of it.
        int rounds = components.cyclic[k] ? 6 : 1;
        bool changed = true;
        while (changed && rounds-- > 0) {
            changed = false;
            for (const ClassIndex c : components.classes[k])
                changed |= update(c);
        }
    }
    std::vector<std::uint8_t> counted(problem.classCount());
    for (const ClassIndex root : problem.roots) {
        bound.total += counted[root] ? 0 : bound.share[root];
        counted[root] = 1;
    }
    return bound;
}

} // namespace marquetry::term_extract
