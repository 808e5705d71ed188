// The solutions of a pool problem, best first.
//
// With the ways of all calls given, each answer is asked for with less DSP than the one before. The
// choices of ways come in the order of the least time that they allow (Murty, "An algorithm for
// ranking all the assignments in order of increasing cost", 1968): what is left of a set of choices
// when its best is taken out are as many sets as there are calls with several ways. A set is
// searched when its turn comes, and until then nothing in it is faster than the set that it came
// from. Of equally fast choices the one with the fewest LUTs comes first. Of many choices
// kMaxWayChoices are looked at, some of them under a part of the limit on logic, because the
// fastest may leave too little for the rest of a design.
//
// Complexity: one branch and bound per answer and per set. Thread rule: belongs to one thread.
#pragma once

#include "engine/extract/pool_branching.h"

#include <set>
#include <tuple>

namespace marquetry::extract {

inline constexpr std::size_t kMaxWayChoices = 128;

class PoolFront {
public:
    PoolFront(const PoolProblem& problem, std::stop_token stop);

    PoolResult run();

private:
    /// Choices of ways that have not been looked at.
    struct Region {
        WayChoice ways;
        double least = 0; ///< nothing in it is faster
        std::optional<PoolSolution> best;
        std::size_t number = 0;
        double lut = 0; ///< of its best
        bool searched = false;
        bool proven = true; ///< its best is

        bool operator<(const Region& other) const {
            return std::tuple(other.least, other.searched, other.lut, other.number) <
                   std::tuple(least, searched, lut, number);
        }
    };

    WayChoice allWays() const;
    bool fewWays() const;
    bool wholeFront() const { return problem_.wholeFront && !problem_.leastDsp; }
    std::size_t frontNodes() const;
    void note(const PoolBranching& search);
    bool outOfTime();
    void search(const PoolProblem& problem, Region& region);
    void rank(const PoolProblem& problem, WayChoice ways, std::size_t most);
    void split(const Region& region, const WayChoice& taken);
    void list(const PoolProblem& problem, const Region& region, const WayChoice& ways);
    void tryParts();
    void noteSet(const Region& region, const WayChoice& ways);
    void noteRest();
    double lutOf(const PoolSolution& solution) const;

    const PoolProblem& problem_;
    EntryTimes times_;
    std::stop_token stop_;
    std::priority_queue<Region> regions_;
    std::set<WayChoice> listed_;
    std::vector<WaySet> sets_;
    PoolResult result_;
    std::size_t made_ = 0;
    bool first_ = true; ///< no region has been searched
};

} // namespace marquetry::extract
