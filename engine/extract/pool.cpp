#include "engine/extract/pool.h"

#include "engine/extract/pool_assignment.h"
#include "engine/support/numbers.h"

#include <algorithm>
#include <cmath>
#include <queue>

namespace marquetry::extract {

namespace {

/// Two designs whose times differ by less are equally fast.
constexpr double kTolerance = 1e-9;
/// Nodes that are looked at whatever the clock says.
constexpr std::size_t kNodesAlways = 32;
/// Nodes for the rest of the front, once the best design is known, by their price in bounds.
constexpr double kFrontWork = 1e8;
/// No two designs' DSP differ by less, unless they are equal.
constexpr double kDspStep = 0.5;

struct Node {
    PoolBound bound;
    PoolChoice choice;
    std::size_t number = 0; ///< ties go to the older node
    bool tried = true;      ///< its pool was solved, and its bound is the relaxation's

    bool operator<(const Node& other) const {
        return std::pair(-bound.value, other.number) < std::pair(-other.bound.value, number);
    }
};

/// One branch and bound: the best pool under one budget.
class BranchAndBound {
public:
    BranchAndBound(const PoolProblem& problem, EntryTimes& times, double budget,
                   std::size_t maxNodes, std::stop_token stop)
        : problem_(problem),
          times_(times),
          budget_(budget),
          maxNodes_(maxNodes),
          stop_(std::move(stop)) {}

    void run() {
        PoolChoice root;
        root.out.assign(problem_.entries.size(), false);
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

    const std::optional<PoolSolution>& best() const { return best_; }
    bool complete() const { return !stopped_; }
    bool outOfTime() const { return outOfTime_; }
    std::size_t nodes() const { return nodes_; }
    double lowerBound() const {
        const double open = heap_.empty() ? kInfinity : heap_.top().bound.value;
        return std::min({open, interrupted_, bestValue_});
    }

private:
    double cutoff() const {
        return bestValue_ == kInfinity ? kInfinity : bestValue_ * (1 - kTolerance);
    }

    void expand(Node node) {
        outOfTime_ =
            ++nodes_ > kNodesAlways && std::chrono::steady_clock::now() > problem_.deadline;
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

    /// Some unit that takes up convolutions must be built: one child each, most of which are never
    /// looked at again.
    void branchOnConvs(const Node& node, const std::vector<std::pair<int, double>>& choices) {
        for (const auto& [entry, value] : choices) {
            const PoolBound bound{std::max(value, node.bound.value), node.bound.price};
            if (bound.value < cutoff())
                heap_.push({bound, with(node.choice, entry), made_++, false});
        }
    }

    PoolChoice with(PoolChoice choice, int entry) const {
        choice.in.push_back(entry);
        const int base = problem_.entry(entry).base;
        if (base >= 0 && std::ranges::find(choice.in, base) == choice.in.end())
            choice.in.push_back(base);
        return choice;
    }

    void tryPool(PoolChoice choice, const PoolBound& parent) {
        evaluate(choice);
        push(std::move(choice), parent);
    }

    void push(PoolChoice choice, const PoolBound& parent) {
        const Relaxation relaxation(problem_, choice, budget_, &times_);
        if (!relaxation.feasible())
            return;
        PoolBound bound = relaxation.best(parent.price, cutoff());
        bound.value = std::max(bound.value, parent.value);
        if (bound.value < cutoff())
            heap_.push({bound, std::move(choice), made_++, true});
    }

    void evaluate(const PoolChoice& choice) {
        if (auto found = assignCalls(problem_, choice, budget_, cutoff(), stop_))
            take(*found);
    }

    void take(const PoolSolution& solution) {
        const double value = problem_.leastDsp ? solution.dsp : solution.time;
        if (best_ && value >= bestValue_)
            return;
        best_ = solution;
        bestValue_ = value;
    }

    const PoolProblem& problem_;
    EntryTimes& times_;
    double budget_;
    std::size_t maxNodes_;
    std::stop_token stop_;
    std::priority_queue<Node> heap_;
    std::optional<PoolSolution> best_;
    double bestValue_ = kInfinity;
    double interrupted_ = kInfinity; ///< bound of the node at which the search was stopped
    std::size_t nodes_ = 0;
    std::size_t made_ = 0;
    bool stopped_ = false;
    bool outOfTime_ = false;
};

/// The front, fastest first: each answer is asked for with less DSP than the one before.
class PoolFrontSearch {
public:
    PoolFrontSearch(const PoolProblem& problem, std::stop_token stop)
        : problem_(problem), times_(problem), stop_(std::move(stop)) {}

    PoolResult run() {
        bool proven = true;
        std::size_t nodesLeft = problem_.maxNodes;
        for (double budget = problem_.dspLimit; proven && nodesLeft > 0;) {
            BranchAndBound search(problem_, times_, budget, nodesLeft, stop_);
            search.run();
            result_.nodes += search.nodes();
            result_.outOfTime = search.outOfTime();
            proven = search.complete();
            const bool first = result_.front.empty();
            if (first) {
                result_.complete = proven;
                result_.lowerBound = search.lowerBound();
                nodesLeft = std::min(nodesLeft, frontNodes());
            }
            nodesLeft -= first ? 0 : std::min(nodesLeft, search.nodes());
            if (!search.best())
                break;
            keep(*search.best());
            budget = search.best()->dsp - kDspStep;
            if (!problem_.wholeFront || problem_.leastDsp)
                break;
        }
        result_.frontComplete = proven;
        return std::move(result_);
    }

private:
    std::size_t frontNodes() const {
        const auto size = static_cast<double>(problem_.entries.size() * problem_.demands.size());
        return static_cast<std::size_t>(std::clamp(kFrontWork / (size + 1), 50.0, 20'000.0));
    }

    /// An equally fast design with less DSP takes the place of the one before.
    void keep(const PoolSolution& solution) {
        auto& front = result_.front;
        if (!front.empty() && solution.time <= front.back().time * (1 + kTolerance))
            front.pop_back();
        front.push_back(solution);
    }

    const PoolProblem& problem_;
    EntryTimes times_;
    std::stop_token stop_;
    PoolResult result_;
};

bool wellFormed(const PoolProblem& problem, const PoolEntry& entry) {
    return entry.via.size() == problem.demands.size() &&
           entry.base < static_cast<int>(problem.entries.size()) && entry.dsp >= 0;
}

} // namespace

bool check(const PoolProblem& problem) {
    const bool calls = std::ranges::all_of(problem.demandOf, [&](int d) {
        return d >= 0 && d < static_cast<int>(problem.demands.size());
    });
    return calls && std::ranges::all_of(problem.entries, [&](const PoolEntry& entry) {
               return wellFormed(problem, entry);
           });
}

bool verify(const PoolProblem& problem, const PoolSolution& solution) {
    if (solution.calls.size() != problem.demandOf.size())
        return false;
    double time = 0;
    double dsp = dspOf(problem, solution.pool);
    int convs = convsOf(problem, solution.pool);
    for (std::size_t c = 0; c < solution.calls.size(); ++c) {
        const CallChoice& choice = solution.calls[c];
        const auto k = static_cast<std::size_t>(choice.option);
        time += choice.time;
        if (choice.entry < 0) {
            const PrivateOption& option = problem.demand(c).options[k];
            if (option.time != choice.time)
                return false;
            dsp += option.dsp;
            convs += option.convs;
            continue;
        }
        const ViaOption& option = problem.via(choice.entry, c)[k];
        const int base = problem.entry(choice.entry).base;
        const auto built = [&](int e) {
            return std::ranges::find(solution.pool, e) != solution.pool.end();
        };
        if (option.time != choice.time || !built(choice.entry) || (base >= 0 && !built(base)))
            return false;
        convs += option.convs;
    }
    const bool convsFit = problem.maxConvs < 0 || convs <= problem.maxConvs;
    return convsFit && dsp <= problem.dspLimit && std::abs(dsp - solution.dsp) < 1e-6 &&
           std::abs(time - solution.time) <= kTolerance * std::max(1.0, time);
}

PoolResult searchPools(const PoolProblem& problem, std::stop_token stop) {
    ENGINE_ASSERT(check(problem), "a well-formed pool problem");
    return PoolFrontSearch(problem, std::move(stop)).run();
}

} // namespace marquetry::extract
