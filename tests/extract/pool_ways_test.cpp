// The pool search where calls may be streamed, against every choice there is.
#include "engine/extract/pool_front.h"
#include "engine/support/rng.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace marquetry::extract {

namespace {

using TimeAndDsp = std::pair<double, double>;

double drawn(SplitMix64& rng, std::int64_t from, std::int64_t to) {
    return static_cast<double>(rng.range(from, to));
}

PoolEntry drawEntry(SplitMix64& rng, std::size_t demands) {
    PoolEntry entry;
    entry.eclass = static_cast<int>(rng.range(100, 1'000'000));
    entry.dsp = drawn(rng, 2, 10);
    entry.via.resize(demands);
    for (std::vector<ViaOption>& via : entry.via)
        if (rng.range(0, 3) != 0)
            via.push_back({drawn(rng, 20, 90), 0, 1, 0});
    return entry;
}

/// Calls with units of their own, streamed circuits, and the bodies of the units they may share.
PoolProblem drawWaysProblem(SplitMix64& rng, std::size_t demands, int circuits) {
    PoolProblem problem;
    for (std::int64_t e = rng.range(0, 2); e > 0; --e)
        problem.entries.push_back(drawEntry(rng, demands));
    for (std::size_t d = 0; d < demands; ++d) {
        CallDemand demand;
        demand.count = 1;
        demand.options.push_back({drawn(rng, 50, 150), drawn(rng, 1, 8), 0, 0, 0, -1, {}});
        for (const PoolEntry& entry : problem.entries)
            for (const ViaOption& via : entry.via[d])
                demand.options.push_back({via.time, entry.dsp, 0, 0, 0, -1, {}});
        for (int k = 1; k <= circuits; ++k) {
            demand.ways |= wayBit(k);
            const double lut = drawn(rng, 100, 400) / k;
            demand.options.push_back({drawn(rng, 10, 40) * k,
                                      0,
                                      0,
                                      -1,
                                      k,
                                      0,
                                      {0, lut, drawn(rng, 100, 400) / k, drawn(rng, 0, 2)}});
        }
        if (rng.range(0, 6) == 0)
            demand.ways &= ~kOnMultipliers; // a pin may ask for a circuit
        std::erase_if(demand.options, [&](const PrivateOption& option) {
            return (demand.ways & wayBit(option.way)) == 0;
        });
        if ((demand.ways & kOnMultipliers) == 0)
            for (PoolEntry& entry : problem.entries)
                entry.via[d].clear();
        std::ranges::stable_sort(demand.options, {}, &PrivateOption::time);
        problem.demands.push_back(std::move(demand));
        problem.demandOf.push_back(static_cast<int>(d));
    }
    problem.dspLimit = drawn(rng, 0, 30);
    problem.logicLimit = {0, drawn(rng, 100, 2000), drawn(rng, 200, 2000), drawn(rng, 0, 8)};
    return problem;
}

/// By choice of ways: the undominated times and DSP of all pools and all choices of units.
class EveryChoice {
public:
    explicit EveryChoice(const PoolProblem& problem) : problem_(problem) {
        for (std::size_t pool = 0; pool < (std::size_t{1} << problem.entries.size()); ++pool) {
            pool_ = pool;
            double dsp = 0;
            for (std::size_t e = 0; e < problem.entries.size(); ++e)
                dsp += built(e) ? problem.entries[e].dsp : 0;
            descend(0, 0, dsp, {});
        }
        for (auto& [ways, points] : points_)
            std::erase_if(points, [&](const TimeAndDsp& point) {
                return std::ranges::any_of(points, [&](const TimeAndDsp& other) {
                    return other != point && other.first <= point.first &&
                           other.second <= point.second;
                });
            });
    }

    const std::map<WayChoice, std::set<TimeAndDsp>>& points() const { return points_; }

    /// Of every choice of ways the least time, in order.
    std::vector<double> times() const {
        std::vector<double> times;
        for (const auto& [ways, points] : points_)
            times.push_back(points.begin()->first);
        std::ranges::sort(times);
        return times;
    }

private:
    bool built(std::size_t entry) const { return (pool_ >> entry & 1) != 0; }

    void descend(std::size_t d, double time, double dsp, const device::Resources& logic) {
        if (dsp > problem_.dspLimit || !logic.fits(problem_.logicLimit))
            return;
        if (d == problem_.demands.size()) {
            points_[ways_].emplace(time, dsp);
            return;
        }
        for (const PrivateOption& option : problem_.demands[d].options) {
            ways_.push_back(wayBit(option.way));
            descend(d + 1, time + option.time, dsp + option.dsp, logic + option.logic);
            ways_.pop_back();
        }
        ways_.push_back(kOnMultipliers);
        for (std::size_t e = 0; e < problem_.entries.size(); ++e)
            for (const ViaOption& via : problem_.entries[e].via[d])
                if (built(e))
                    descend(d + 1, time + via.time, dsp, logic);
        ways_.pop_back();
    }

    const PoolProblem& problem_;
    std::size_t pool_ = 0;
    WayChoice ways_;
    std::map<WayChoice, std::set<TimeAndDsp>> points_;
};

std::map<WayChoice, std::set<TimeAndDsp>> listed(const PoolProblem& problem,
                                                 const PoolResult& result) {
    std::map<WayChoice, std::set<TimeAndDsp>> points;
    for (const PoolSolution& solution : result.front)
        points[waysOf(problem, solution)].emplace(solution.time, solution.dsp);
    return points;
}

/// Every choice is in one of the sets, and none of its solutions is faster than that says.
void expectInOneSet(const PoolResult& result, const EveryChoice& every) {
    for (const auto& [ways, points] : every.points()) {
        int sets = 0;
        for (const WaySet& set : result.sets) {
            bool in = true;
            for (std::size_t d = 0; d < ways.size(); ++d)
                in = in && (ways[d] & ~set.ways[d]) == 0;
            sets += in ? 1 : 0;
            if (in) {
                EXPECT_LE(set.least, points.begin()->first * (1 + 1e-9));
            }
        }
        EXPECT_EQ(sets, 1);
    }
}

/// What holds whether or not all choices were looked at. Whether there is a solution.
bool expectBest(const PoolProblem& problem, const PoolResult& result, const EveryChoice& every) {
    EXPECT_TRUE(result.complete);
    for (const PoolSolution& solution : result.front)
        EXPECT_TRUE(verify(problem, solution));
    const std::vector<double> times = every.times();
    EXPECT_EQ(result.front.empty(), times.empty());
    expectInOneSet(result, every);
    if (times.empty() || result.front.empty())
        return false;
    EXPECT_NEAR(result.front.front().time, times.front(), 1e-9 * times.front());
    EXPECT_LE(result.lowerBound, times.front() * (1 + 1e-9));
    return true;
}

} // namespace

TEST(PoolWays, FewAreAllListedWithTheirFronts) {
    int solved = 0;
    int tight = 0;
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
        SplitMix64 rng(100 + seed);
        const PoolProblem problem = drawWaysProblem(rng, 4, static_cast<int>(rng.range(0, 2)));
        SCOPED_TRACE("seed " + std::to_string(seed));
        const PoolResult result = searchPools(problem, {});
        const EveryChoice every(problem);
        solved += expectBest(problem, result, every);
        tight += every.points().size() > 1 && every.points().size() < 60;
        EXPECT_TRUE(result.frontComplete);
        EXPECT_TRUE(result.waysComplete);
        EXPECT_EQ(listed(problem, result), every.points());
    }
    EXPECT_GT(solved, 60);
    EXPECT_GT(tight, 30);
}

TEST(PoolWays, OfManyTheFastestAreListed) {
    int solved = 0;
    int cut = 0;
    for (std::uint64_t seed = 0; seed < 25; ++seed) {
        SplitMix64 rng(900 + seed);
        PoolProblem problem = drawWaysProblem(rng, 5, 3);
        problem.logicLimit.lut += 600;
        SCOPED_TRACE("seed " + std::to_string(seed));
        const PoolResult result = searchPools(problem, {});
        const EveryChoice every(problem);
        solved += expectBest(problem, result, every);
        const auto found = listed(problem, result);
        EXPECT_LE(found.size(), kMaxWayChoices + 1);
        if (result.waysComplete) {
            EXPECT_EQ(found, every.points());
            continue;
        }
        ++cut;
        ASSERT_GT(every.points().size(), 96U);
        const double last = every.times()[95];
        for (const auto& [ways, points] : every.points())
            if (points.begin()->first < last) {
                EXPECT_TRUE(found.contains(ways)) << points.begin()->first << " of " << last;
            }
    }
    EXPECT_GT(solved, 12);
    EXPECT_GT(cut, 5);
}

/// At any price of DSP the bound is then the time, and must not be more by the price's rounding.
TEST(PoolWays, ALimitMayBeUsedUpExactly) {
    struct Case {
        std::uint64_t seed;
        std::size_t demands;
        int circuits;
    };
    for (const Case& drawn : {Case{2656, 6, 0}, Case{3545, 5, 0}, Case{1294, 4, 2}}) {
        SplitMix64 rng(drawn.seed);
        const PoolProblem problem = drawWaysProblem(rng, drawn.demands, drawn.circuits);
        SCOPED_TRACE("seed " + std::to_string(drawn.seed));
        const PoolResult result = searchPools(problem, {});
        const EveryChoice every(problem);
        EXPECT_TRUE(expectBest(problem, result, every));
        EXPECT_EQ(listed(problem, result), every.points());
    }
}

TEST(PoolWays, TheLeastDspIsThatOfAllChoices) {
    int solved = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        SplitMix64 rng(4000 + seed);
        PoolProblem problem = drawWaysProblem(rng, 4, 2);
        problem.leastDsp = true;
        problem.wholeFront = false;
        const PoolResult result = searchPools(problem, {});
        const EveryChoice every(problem);
        double least = std::numeric_limits<double>::infinity();
        for (const auto& [ways, points] : every.points())
            for (const auto& [time, dsp] : points)
                least = std::min(least, dsp);
        ASSERT_EQ(result.front.empty(), every.points().empty()) << "seed " << seed;
        if (result.front.empty())
            continue;
        ++solved;
        EXPECT_EQ(result.front.front().dsp, least) << "seed " << seed;
    }
    EXPECT_GT(solved, 25);
}

} // namespace marquetry::extract
