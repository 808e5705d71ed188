// One branch and bound over pools: the best one under one budget, best bound first.
//
// Thread rule: belongs to one thread.
#pragma once

#include "engine/extract/pool_relaxation.h"

#include <optional>
#include <queue>
#include <stop_token>
#include <vector>

namespace marquetry::extract {

/// Two designs whose times differ by less are equally fast.
inline constexpr double kTimeTolerance = 1e-9;

class PoolBranching {
public:
    /// `ways`: allowed, by demand. `times` of the same problem.
    PoolBranching(const PoolProblem& problem, EntryTimes& times, double budget, WayChoice ways,
                  std::size_t maxNodes, std::stop_token stop);

    void run();

    const std::optional<PoolSolution>& best() const { return best_; }
    bool complete() const { return !stopped_; }
    bool outOfTime() const { return outOfTime_; }
    std::size_t nodes() const { return nodes_; }
    double lowerBound() const;

private:
    struct Node {
        PoolBound bound;
        PoolChoice choice;
        std::size_t number = 0; ///< ties go to the older node
        bool tried = true;      ///< its pool was solved, and its bound is the relaxation's

        bool operator<(const Node& other) const {
            return std::pair(-bound.value, other.number) < std::pair(-other.bound.value, number);
        }
    };

    double cutoff() const;
    void expand(Node node);
    void branchOnWays(const Node& node, std::size_t demand);
    void branchOnConvs(const Node& node, const std::vector<std::pair<int, double>>& choices);
    PoolChoice with(PoolChoice choice, int entry) const;
    void tryPool(PoolChoice choice, const PoolBound& parent);
    void push(PoolChoice choice, const PoolBound& parent);
    void evaluate(const PoolChoice& choice);
    void take(const PoolSolution& solution);

    const PoolProblem& problem_;
    EntryTimes& times_;
    double budget_;
    WayChoice ways_;
    std::size_t maxNodes_;
    std::stop_token stop_;
    std::priority_queue<Node> heap_;
    std::optional<PoolSolution> best_;
    double bestValue_ = std::numeric_limits<double>::infinity();
    /// Bound of the node at which the search was stopped.
    double interrupted_ = std::numeric_limits<double>::infinity();
    std::size_t nodes_ = 0;
    std::size_t made_ = 0;
    bool stopped_ = false;
    bool outOfTime_ = false;
};

} // namespace marquetry::extract
