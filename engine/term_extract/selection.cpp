#include "engine/term_extract/selection.h"

#include <algorithm>
#include <cmath>

namespace marquetry::term_extract {

namespace {

/// Classes that the roots reach through selected nodes; false when one of them has no node.
bool reach(const SelectionProblem& problem, const Selection& selection,
           std::vector<ClassIndex>& used) {
    std::vector<std::uint8_t> seen(problem.classCount());
    const auto visit = [&](ClassIndex c) {
        if (!seen[c])
            used.push_back(c);
        seen[c] = 1;
    };
    for (const ClassIndex root : problem.roots)
        visit(root);
    for (std::size_t at = 0; at < used.size(); ++at) {
        const NodeIndex n = selection[used[at]];
        if (n < problem.nodeBegin[used[at]] || n >= problem.nodeBegin[used[at] + 1])
            return false;
        for (const ClassIndex child : problem.children(n))
            visit(child);
    }
    return true;
}

/// The classes children first; shorter than `used` when a class needs itself.
std::vector<ClassIndex> childrenFirst(const SelectionProblem& problem, const Selection& selection,
                                      const std::vector<ClassIndex>& used) {
    std::vector<std::uint32_t> users(problem.classCount());
    for (const ClassIndex c : used)
        for (const ClassIndex child : problem.children(selection[c]))
            ++users[child];
    std::vector<ClassIndex> order;
    for (const ClassIndex c : used)
        if (users[c] == 0)
            order.push_back(c);
    for (std::size_t at = 0; at < order.size(); ++at)
        for (const ClassIndex child : problem.children(selection[order[at]]))
            if (--users[child] == 0)
                order.push_back(child);
    std::reverse(order.begin(), order.end());
    return order;
}

} // namespace

bool costsLess(double a, double b) {
    return a < b - kCostTolerance * std::max({1.0, std::abs(a), std::abs(b)});
}

ClassIndex SelectionProblem::addClass() {
    nodeBegin.push_back(nodeBegin.back());
    return static_cast<ClassIndex>(classCount() - 1);
}

NodeIndex SelectionProblem::addNode(double nodeCost, std::span<const ClassIndex> children) {
    cost.push_back(nodeCost);
    child.insert(child.end(), children.begin(), children.end());
    childBegin.push_back(static_cast<std::uint32_t>(child.size()));
    nodeBegin.back() = static_cast<std::uint32_t>(cost.size());
    return static_cast<NodeIndex>(cost.size() - 1);
}

std::vector<ClassIndex> classOfNode(const SelectionProblem& problem) {
    std::vector<ClassIndex> owner(problem.nodeCount());
    for (ClassIndex c = 0; c < problem.classCount(); ++c)
        std::fill(owner.begin() + problem.nodeBegin[c], owner.begin() + problem.nodeBegin[c + 1],
                  c);
    return owner;
}

std::vector<std::uint8_t> groundedClasses(const SelectionProblem& problem) {
    const std::vector<ClassIndex> owner = classOfNode(problem);
    std::vector<std::uint32_t> userBegin(problem.classCount() + 1);
    for (const ClassIndex c : problem.child)
        ++userBegin[c + 1];
    for (std::size_t c = 1; c < userBegin.size(); ++c)
        userBegin[c] += userBegin[c - 1];
    std::vector<NodeIndex> user(problem.child.size());
    std::vector<std::uint32_t> missing(problem.nodeCount());
    std::vector<std::uint32_t> fill(userBegin.begin(), userBegin.end() - 1);
    std::vector<std::uint8_t> grounded(problem.classCount());
    std::vector<ClassIndex> work;
    const auto ground = [&](NodeIndex n) {
        if (!grounded[owner[n]])
            work.push_back(owner[n]);
        grounded[owner[n]] = 1;
    };
    for (NodeIndex n = 0; n < problem.nodeCount(); ++n) {
        missing[n] = static_cast<std::uint32_t>(problem.children(n).size());
        for (const ClassIndex c : problem.children(n))
            user[fill[c]++] = n;
        if (missing[n] == 0)
            ground(n);
    }
    for (std::size_t at = 0; at < work.size(); ++at)
        for (std::uint32_t k = userBegin[work[at]]; k < userBegin[work[at] + 1]; ++k)
            if (--missing[user[k]] == 0)
                ground(user[k]);
    return grounded;
}

Status check(const SelectionProblem& problem) {
    const auto bad = [](const std::string& what) { return makeError("extract-bad-problem", what); };
    const auto begins = [](const std::vector<std::uint32_t>& begin, std::size_t size) {
        return !begin.empty() && begin.front() == 0 && begin.back() == size &&
               std::is_sorted(begin.begin(), begin.end());
    };
    if (!begins(problem.nodeBegin, problem.cost.size()) ||
        !begins(problem.childBegin, problem.child.size()) ||
        problem.childBegin.size() != problem.nodeCount() + 1)
        return bad("the lists of nodes and children do not fit together");
    const auto known = [&](ClassIndex c) { return c < problem.classCount(); };
    if (!std::all_of(problem.child.begin(), problem.child.end(), known) ||
        !std::all_of(problem.roots.begin(), problem.roots.end(), known))
        return bad("a child or a root is no class");
    for (NodeIndex n = 0; n < problem.nodeCount(); ++n)
        if (!std::isfinite(problem.cost[n]))
            return makeError("extract-bad-cost",
                             "the cost of node " + std::to_string(n) + " is not a finite number");
    const std::vector<std::uint8_t> grounded = groundedClasses(problem);
    for (const ClassIndex root : problem.roots)
        if (!grounded[root])
            return makeError("extract-no-term", "the root class " + std::to_string(root) +
                                                    " has no finite term: all its nodes need "
                                                    "themselves or a class without nodes");
    return ok();
}

bool verify(const SelectionProblem& problem, const Selection& selection) {
    std::vector<ClassIndex> used;
    if (selection.size() != problem.classCount() || !reach(problem, selection, used))
        return false;
    const auto given =
        std::count_if(selection.begin(), selection.end(), [](NodeIndex n) { return n != kNone; });
    return static_cast<std::size_t>(given) == used.size() &&
           childrenFirst(problem, selection, used).size() == used.size();
}

void prune(const SelectionProblem& problem, Selection& selection) {
    std::vector<ClassIndex> used;
    ENGINE_ASSERT(reach(problem, selection, used), "a used class has no node");
    Selection kept(selection.size(), kNone);
    for (const ClassIndex c : used)
        kept[c] = selection[c];
    selection = std::move(kept);
}

double dagCost(const SelectionProblem& problem, const Selection& selection) {
    double sum = 0;
    for (const NodeIndex n : selection)
        if (n != kNone)
            sum += problem.cost[n];
    return sum;
}

double treeCost(const SelectionProblem& problem, const Selection& selection) {
    std::vector<ClassIndex> used;
    ENGINE_ASSERT(reach(problem, selection, used), "a used class has no node");
    std::vector<double> cost(problem.classCount());
    for (const ClassIndex c : childrenFirst(problem, selection, used)) {
        cost[c] = problem.cost[selection[c]];
        for (const ClassIndex child : problem.children(selection[c]))
            cost[c] += cost[child];
    }
    double sum = 0;
    for (const ClassIndex root : problem.roots)
        sum += cost[root];
    return sum;
}

} // namespace marquetry::term_extract
