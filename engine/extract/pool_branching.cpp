#include "engine/extract/pool_branching.h"

#include "engine/extract/pool_assignment.h"
#include "engine/support/numbers.h"

#include <algorithm>
#include <chrono>

namespace marquetry::extract {

namespace {

/// Nodes that are looked at whatever the clock says.
constexpr std::size_t kNodesAlways = 32;

} // namespace

PoolBranching::PoolBranching(const PoolProblem& problem, EntryTimes& times, double budget,
                             WayChoice ways, std::size_t maxNodes, std::stop_token stop)
    : problem_(problem),
      times_(times),
      budget_(budget),
      ways_(std::move(ways)),
      maxNodes_(maxNodes),
      stop_(std::move(stop)) {}

void PoolBranching::run() {
    PoolChoice root;
    root.out.assign(problem_.entries.size(), false);
    root.ways = ways_;
    evaluate(root);
    push(std::move(root), {});
    while (!heap_.empty() && !stopped_) {
        Node node = heap_.top();
        if (node.bound.value >= cutoff())
            break;
        heap_.pop();
        expand(std::move(node));
    }
}

double PoolBranching::lowerBound() const {
    const double open = heap_.empty() ? kInfinity : heap_.top().bound.value;
    return std::min({open, interrupted_, bestValue_});
}

double PoolBranching::cutoff() const {
    return bestValue_ == kInfinity ? kInfinity : bestValue_ * (1 - kTimeTolerance);
}

void PoolBranching::expand(Node node) {
    outOfTime_ = ++nodes_ > kNodesAlways && std::chrono::steady_clock::now() > problem_.deadline;
    if (problem_.progress)
        problem_.progress(nodes_, bestValue_, std::min(node.bound.value, bestValue_));
    if (nodes_ > maxNodes_ || outOfTime_ || stop_.stop_requested()) {
        stopped_ = true;
        interrupted_ = node.bound.value;
        return;
    }
    if (!node.tried)
        return tryPool(std::move(node.choice), node.bound);
    const Relaxation relaxation(problem_, node.choice, budget_, &times_);
    if (relaxation.logic().open())
        return branchOnWays(node, relaxation.logic().widest());
    const auto choices = relaxation.convChoices();
    if (!choices.empty())
        return branchOnConvs(node, choices);
    const int entry = relaxation.branchEntry(node.bound.price);
    if (entry < 0)
        return; // the pool itself was solved exactly when it was made
    tryPool(with(node.choice, entry), node.bound);
    PoolChoice without = std::move(node.choice);
    without.out[static_cast<std::size_t>(entry)] = true;
    push(std::move(without), node.bound);
}

/// One child for each way of the demand. Once all that are left have room, pools are solved
/// exactly.
void PoolBranching::branchOnWays(const Node& node, std::size_t demand) {
    for (Ways left = node.choice.ways[demand]; left != 0; left &= left - 1) {
        PoolChoice child = node.choice;
        child.ways[demand] = left & ~(left - 1);
        if (PoolLogic(problem_, child.ways).open())
            push(std::move(child), node.bound);
        else
            tryPool(std::move(child), node.bound);
    }
}

/// Some unit that takes up convolutions must be built: one child each, most of which are never
/// looked at again.
void PoolBranching::branchOnConvs(const Node& node,
                                  const std::vector<std::pair<int, double>>& choices) {
    for (const auto& [entry, value] : choices) {
        const PoolBound bound{std::max(value, node.bound.value), node.bound.price};
        if (bound.value < cutoff())
            heap_.push({bound, with(node.choice, entry), made_++, false});
    }
}

PoolChoice PoolBranching::with(PoolChoice choice, int entry) const {
    choice.in.push_back(entry);
    const int base = problem_.entry(entry).base;
    if (base >= 0 && std::ranges::find(choice.in, base) == choice.in.end())
        choice.in.push_back(base);
    return choice;
}

void PoolBranching::tryPool(PoolChoice choice, const PoolBound& parent) {
    evaluate(choice);
    push(std::move(choice), parent);
}

void PoolBranching::push(PoolChoice choice, const PoolBound& parent) {
    const Relaxation relaxation(problem_, choice, budget_, &times_);
    if (!relaxation.feasible())
        return;
    PoolBound bound = relaxation.best(parent.price, cutoff());
    bound.value = std::max(bound.value, parent.value);
    if (bound.value < cutoff())
        heap_.push({bound, std::move(choice), made_++, true});
}

void PoolBranching::evaluate(const PoolChoice& choice) {
    if (auto found = assignCalls(problem_, choice, budget_, cutoff(), stop_))
        take(*found);
}

void PoolBranching::take(const PoolSolution& solution) {
    const double value = problem_.leastDsp ? solution.dsp : solution.time;
    if (best_ && value >= bestValue_)
        return;
    best_ = solution;
    bestValue_ = value;
}

} // namespace marquetry::extract
