#include "engine/term_extract/local_search.h"

#include "engine/support/rng.h"
#include "engine/term_extract/components.h"
#include "engine/term_extract/tree.h"

#include <algorithm>
#include <cmath>

namespace marquetry::term_extract {

namespace {

class Annealing {
public:
    Annealing(const SelectionProblem& problem, const Selection& start, std::uint64_t seed)
        : problem_(problem),
          components_(strongComponents(problem)),
          random_(seed),
          best_(start),
          bestCost_(dagCost(problem, start)),
          mark_(problem.classCount()) {
        for (ClassIndex c = 0; c < problem.classCount(); ++c)
            if (problem.nodeBegin[c + 1] - problem.nodeBegin[c] > 1)
                free_.push_back(c);
    }

    Selection run(const LocalSearchParams& params, const Limits& limits) && {
        if (free_.empty())
            return std::move(best_);
        const auto [hot, cold] = temperatures();
        const auto descents = static_cast<std::uint64_t>(std::max(1, params.descents));
        const std::uint64_t steps = std::max<std::uint64_t>(1, params.steps / descents);
        for (std::uint64_t d = 0; d < descents && !limits.reached(); ++d) {
            adopt(best_);
            // Later descents start cooler: they polish.
            const double start = hot * std::pow(0.6, static_cast<double>(d % 4));
            descend(start, cold, steps, limits);
        }
        return std::move(best_);
    }

private:
    /// Choices of all classes: those of the term, the least trees where they close no cycle.
    void adopt(const Selection& term) {
        std::vector<double> price = problem_.cost;
        choice_ = treeChoice(problem_, price).of;
        if (std::any_of(components_.cyclic.begin(), components_.cyclic.end(),
                        [](std::uint8_t cyclic) { return cyclic != 0; }))
            choice_ = aroundTerm(term);
        else
            for (ClassIndex c = 0; c < term.size(); ++c)
                choice_[c] = term[c] != kNone ? term[c] : choice_[c];
        uses_.assign(problem_.classCount(), 0);
        cost_ = 0;
        for (const ClassIndex root : problem_.roots)
            retain(root);
    }

    /// Knuth's order over the problem in which classes of the term have their one node.
    Selection aroundTerm(const Selection& term) const {
        SelectionProblem fixed;
        std::vector<NodeIndex> original;
        for (ClassIndex c = 0; c < problem_.classCount(); ++c) {
            fixed.addClass();
            for (NodeIndex n = problem_.nodeBegin[c]; n < problem_.nodeBegin[c + 1]; ++n)
                if (term[c] == kNone || term[c] == n) {
                    fixed.addNode(problem_.cost[n], problem_.children(n));
                    original.push_back(n);
                }
        }
        Selection choice = treeChoice(fixed, fixed.cost).of;
        for (NodeIndex& n : choice)
            n = n == kNone ? kNone : original[n];
        return choice;
    }

    /// Typical and least difference between nodes of one class, in size.
    std::pair<double, double> temperatures() const {
        double sum = 0;
        double least = std::numeric_limits<double>::infinity();
        double count = 0;
        std::vector<double> costs = problem_.cost;
        std::sort(costs.begin(), costs.end());
        for (std::size_t k = 1; k < costs.size(); ++k)
            if (costsLess(costs[k - 1], costs[k]))
                least = std::min(least, costs[k] - costs[k - 1]);
        for (const double cost : costs)
            if (cost != 0) {
                sum += std::abs(cost);
                count += 1;
                least = std::min(least, std::abs(cost));
            }
        const double typical = count > 0 ? sum / count : 1.0;
        return {std::max(typical, 1e-12), std::max(0.1 * std::min(least, typical), 1e-12)};
    }

    void descend(double hot, double cold, std::uint64_t steps, const Limits& limits) {
        constexpr std::uint64_t kBatch = 512;
        const double cooling =
            std::pow(std::min(1.0, cold / hot),
                     static_cast<double>(kBatch) / static_cast<double>(std::max(steps, kBatch)));
        double temperature = hot;
        for (std::uint64_t done = 0; done < steps && !limits.reached(); done += kBatch) {
            for (std::uint64_t k = 0; k < kBatch; ++k)
                step(temperature);
            temperature *= cooling;
        }
    }

    double uniform() { return static_cast<double>(random_.next() >> 11) * 0x1p-53; }

    void step(double temperature) {
        const ClassIndex c = free_[random_.next() % free_.size()];
        const NodeIndex begin = problem_.nodeBegin[c];
        const auto others = problem_.nodeBegin[c + 1] - begin - 1;
        NodeIndex n = begin + static_cast<NodeIndex>(random_.next() % others);
        if (choice_[c] == kNone)
            return;
        n += n >= choice_[c] ? 1 : 0;
        if (!usable(n) || closesCycle(c, n))
            return;
        const NodeIndex old = choice_[c];
        const double before = cost_;
        change(c, n);
        const double rise = cost_ - before;
        if (rise > 0 && uniform() >= std::exp(-rise / temperature)) {
            change(c, old);
            cost_ = before; // not the sum in another order
        } else if (costsLess(cost_, bestCost_)) {
            record();
        }
    }

    bool usable(NodeIndex n) const {
        const auto children = problem_.children(n);
        return std::all_of(children.begin(), children.end(),
                           [&](ClassIndex child) { return choice_[child] != kNone; });
    }

    bool closesCycle(ClassIndex c, NodeIndex n) {
        const std::uint32_t component = components_.of[c];
        if (!components_.cyclic[component])
            return false;
        ++stamp_;
        work_.clear();
        const auto visit = [&](NodeIndex node) {
            for (const ClassIndex child : problem_.children(node))
                if (components_.of[child] == component && mark_[child] != stamp_) {
                    mark_[child] = stamp_;
                    work_.push_back(child);
                }
        };
        visit(n);
        while (!work_.empty() && mark_[c] != stamp_) {
            const ClassIndex next = work_.back();
            work_.pop_back();
            visit(choice_[next]);
        }
        return mark_[c] == stamp_;
    }

    void change(ClassIndex c, NodeIndex n) {
        const NodeIndex old = choice_[c];
        choice_[c] = n;
        if (uses_[c] == 0)
            return;
        cost_ += problem_.cost[n] - problem_.cost[old];
        for (const ClassIndex child : problem_.children(n)) // first in, then out: shared parts stay
            retain(child);
        for (const ClassIndex child : problem_.children(old))
            release(child);
    }

    void retain(ClassIndex c) {
        work_.assign(1, c);
        while (!work_.empty()) {
            const ClassIndex next = work_.back();
            work_.pop_back();
            if (uses_[next]++ > 0)
                continue;
            const NodeIndex n = choice_[next];
            cost_ += problem_.cost[n];
            const auto children = problem_.children(n);
            work_.insert(work_.end(), children.begin(), children.end());
        }
    }

    void release(ClassIndex c) {
        work_.assign(1, c);
        while (!work_.empty()) {
            const ClassIndex next = work_.back();
            work_.pop_back();
            if (--uses_[next] > 0)
                continue;
            const NodeIndex n = choice_[next];
            cost_ -= problem_.cost[n];
            const auto children = problem_.children(n);
            work_.insert(work_.end(), children.begin(), children.end());
        }
    }

    void record() {
        best_.assign(problem_.classCount(), kNone);
        for (ClassIndex c = 0; c < problem_.classCount(); ++c)
            if (uses_[c] > 0)
                best_[c] = choice_[c];
        bestCost_ = cost_ = dagCost(problem_, best_);
    }

    const SelectionProblem& problem_;
    const Components components_;
    SplitMix64 random_;
    Selection best_;
    double bestCost_ = 0;

    std::vector<ClassIndex> free_; ///< classes with a choice
    Selection choice_;             ///< of all classes, acyclic
    std::vector<std::uint32_t> uses_;
    double cost_ = 0;
    std::vector<ClassIndex> work_;
    std::vector<std::uint32_t> mark_;
    std::uint32_t stamp_ = 0;
};

} // namespace

Selection searchLocally(const SelectionProblem& problem, const Selection& start,
                        const LocalSearchParams& params, const Limits& limits) {
    return Annealing(problem, start, params.seed).run(params, limits);
}

} // namespace marquetry::term_extract
