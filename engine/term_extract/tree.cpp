#include "engine/term_extract/tree.h"

#include "engine/term_extract/components.h"

#include <algorithm>
#include <queue>

namespace marquetry::term_extract {

namespace {

constexpr double kUnknown = std::numeric_limits<double>::infinity();
constexpr double kClamp = 1e300;

class TreeSearch {
public:
    TreeSearch(const SelectionProblem& problem, std::span<const double> nodeCost)
        : problem_(problem), nodeCost_(nodeCost) {
        choice_.cost.assign(problem.classCount(), kUnknown);
        choice_.of.assign(problem.classCount(), kNone);
    }

    TreeChoice run() && {
        const bool negative =
            std::any_of(nodeCost_.begin(), nodeCost_.end(), [](double cost) { return cost < 0; });
        if (negative)
            byComponent();
        else if (!sweep())
            worklist();
        return std::move(choice_);
    }

private:
    double valueOf(NodeIndex n) const {
        double sum = nodeCost_[n];
        for (const ClassIndex child : problem_.children(n))
            sum += choice_.cost[child];
        return sum == kUnknown ? sum : std::clamp(sum, -kClamp, kClamp);
    }

    bool improve(ClassIndex c) {
        bool better = false;
        for (NodeIndex n = problem_.nodeBegin[c]; n < problem_.nodeBegin[c + 1]; ++n) {
            const double value = valueOf(n);
            if (value < choice_.cost[c]) {
                choice_.cost[c] = value;
                choice_.of[c] = n;
                better = true;
            }
        }
        return better;
    }

    /// True when nothing changes any more.
    bool sweep() {
        constexpr int kSweeps = 6;
        for (int k = 0; k < kSweeps; ++k) {
            bool changed = false;
            for (ClassIndex c = 0; c < problem_.classCount(); ++c)
                changed |= improve(c);
            if (!changed)
                return true;
        }
        return false;
    }

    void worklist() {
        // A user is listed once per occurrence; the flag keeps it in the queue once.
        std::vector<std::uint32_t> begin(problem_.classCount() + 1);
        for (const ClassIndex c : problem_.child)
            ++begin[c + 1];
        for (std::size_t c = 1; c < begin.size(); ++c)
            begin[c] += begin[c - 1];
        std::vector<ClassIndex> users(problem_.child.size());
        std::vector<std::uint32_t> fill(begin.begin(), begin.end() - 1);
        for (ClassIndex c = 0; c < problem_.classCount(); ++c)
            for (NodeIndex n = problem_.nodeBegin[c]; n < problem_.nodeBegin[c + 1]; ++n)
                for (const ClassIndex child : problem_.children(n))
                    users[fill[child]++] = c;
        std::queue<ClassIndex> queue;
        std::vector<std::uint8_t> queued(problem_.classCount(), 1);
        for (ClassIndex c = 0; c < problem_.classCount(); ++c)
            queue.push(c);
        while (!queue.empty()) {
            const ClassIndex c = queue.front();
            queue.pop();
            queued[c] = 0;
            if (!improve(c))
                continue;
            for (std::uint32_t k = begin[c]; k < begin[c + 1]; ++k)
                if (!queued[users[k]]) {
                    queued[users[k]] = 1;
                    queue.push(users[k]);
                }
        }
    }

    void byComponent() {
        const Components components = strongComponents(problem_);
        for (std::size_t k = 0; k < components.classes.size(); ++k) {
            if (!components.cyclic[k])
                improve(components.classes[k].front());
            else
                settleInOrder(components, components.classes[k]);
        }
    }

    /// Knuth: the class with the least candidate is final. Users of it are looked at again.
    void settleInOrder(const Components& components, const std::vector<ClassIndex>& classes) {
        using Entry = std::pair<double, NodeIndex>;
        std::priority_queue<Entry, std::vector<Entry>, std::greater<>> heap;
        std::vector<std::pair<ClassIndex, NodeIndex>> users;
        std::vector<std::pair<NodeIndex, ClassIndex>> owner;
        const auto offer = [&](NodeIndex n) {
            const double value = valueOf(n);
            if (value < kUnknown)
                heap.emplace(value, n);
        };
        for (const ClassIndex c : classes)
            for (NodeIndex n = problem_.nodeBegin[c]; n < problem_.nodeBegin[c + 1]; ++n) {
                owner.emplace_back(n, c);
                for (const ClassIndex child : problem_.children(n))
                    if (components.of[child] == components.of[c])
                        users.emplace_back(child, n);
                offer(n);
            }
        std::sort(users.begin(), users.end());
        while (!heap.empty()) {
            const auto [value, n] = heap.top();
            heap.pop();
            const ClassIndex c =
                std::prev(std::upper_bound(owner.begin(), owner.end(), std::pair(n, kNone)))
                    ->second;
            if (choice_.of[c] != kNone)
                continue;
            choice_.of[c] = n;
            choice_.cost[c] = value;
            for (auto at = std::lower_bound(users.begin(), users.end(), std::pair(c, 0U));
                 at != users.end() && at->first == c; ++at)
                offer(at->second);
        }
    }

    const SelectionProblem& problem_;
    std::span<const double> nodeCost_;
    TreeChoice choice_;
};

} // namespace

TreeChoice treeChoice(const SelectionProblem& problem, std::span<const double> nodeCost) {
    return TreeSearch(problem, nodeCost).run();
}

Selection extractTree(const SelectionProblem& problem) {
    Selection selection = treeChoice(problem, problem.cost).of;
    prune(problem, selection);
    return selection;
}

} // namespace marquetry::term_extract
