#include "engine/extract/pool.h"

#include "engine/extract/pool_front.h"

#include <algorithm>
#include <cmath>

namespace marquetry::extract {

namespace {

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
    device::Resources logic;
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
            logic += option.logic;
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
    const WayChoice ways = waysOf(problem, solution);
    const PoolLogic ofSolution(problem, ways);
    for (std::size_t d = 0; d < ways.size(); ++d)
        if ((ways[d] & ~problem.demands[d].ways) != 0)
            return false;
    return convsFit && ofSolution.fits(logic) && dsp <= problem.dspLimit &&
           std::abs(dsp - solution.dsp) < 1e-6 &&
           std::abs(time - solution.time) <= kTimeTolerance * std::max(1.0, time);
}

WayChoice waysOf(const PoolProblem& problem, const PoolSolution& solution) {
    WayChoice ways(problem.demands.size(), 0);
    for (std::size_t c = 0; c < solution.calls.size(); ++c) {
        const CallChoice& choice = solution.calls[c];
        const int way =
            choice.entry >= 0
                ? 0
                : problem.demand(c).options[static_cast<std::size_t>(choice.option)].way;
        ways[static_cast<std::size_t>(problem.demandOf[c])] |= wayBit(way);
    }
    return ways;
}

PoolResult searchPools(const PoolProblem& problem, std::stop_token stop) {
    ENGINE_ASSERT(check(problem), "a well-formed pool problem");
    return PoolFront(problem, std::move(stop)).run();
}

} // namespace marquetry::extract
