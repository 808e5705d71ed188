#include "engine/extract/pool_front.h"

#include "engine/support/numbers.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <tuple>

namespace marquetry::extract {

namespace {

/// Nodes of a search for more of the front, once the best design is known, by their price in
/// bounds.
constexpr double kFrontWork = 1e8;
/// No two designs' DSP differ by less, unless they are equal.
constexpr double kDspStep = 0.5;
/// Parts of the limit on logic, for choices of ways that leave more to the rest of a design.
constexpr double kParts[] = {0.75, 0.5, 0.25, 0.125};
constexpr std::size_t kOfPart = 8;

} // namespace

PoolFront::PoolFront(const PoolProblem& problem, std::stop_token stop)
    : problem_(problem), times_(problem), stop_(std::move(stop)) {}

PoolResult PoolFront::run() {
    constexpr std::size_t kFastest = kMaxWayChoices - std::size(kParts) * kOfPart;
    rank(problem_, allWays(), fewWays() ? kMaxWayChoices : kFastest);
    result_.waysComplete = result_.frontComplete && regions_.empty();
    noteRest();
    if (!problem_.leastDsp)
        result_.sets = std::move(sets_);
    if (!result_.waysComplete && wholeFront())
        tryParts();
    if (listed_.size() > 1)
        std::ranges::stable_sort(result_.front, {}, [this](const PoolSolution& solution) {
            return std::tuple(solution.time, solution.dsp, lutOf(solution));
        });
    return std::move(result_);
}

double PoolFront::lutOf(const PoolSolution& solution) const {
    double lut = 0;
    for (std::size_t c = 0; c < solution.calls.size(); ++c) {
        const CallChoice& choice = solution.calls[c];
        if (choice.entry < 0)
            lut += problem_.demand(c).options[static_cast<std::size_t>(choice.option)].logic.lut;
    }
    return lut;
}

WayChoice PoolFront::allWays() const {
    WayChoice ways;
    for (const CallDemand& demand : problem_.demands)
        ways.push_back(demand.ways);
    return ways;
}

/// All choices of ways can be looked at.
bool PoolFront::fewWays() const {
    std::size_t choices = 1;
    for (const CallDemand& demand : problem_.demands)
        choices = std::min(kMaxWayChoices + 1,
                           choices * static_cast<std::size_t>(std::popcount(demand.ways)));
    return choices <= kMaxWayChoices;
}

std::size_t PoolFront::frontNodes() const {
    const auto size = static_cast<double>(problem_.entries.size() * problem_.demands.size());
    const double nodes = std::clamp(kFrontWork / (size + 1), 50.0, 20'000.0);
    return std::min(problem_.maxNodes, static_cast<std::size_t>(nodes));
}

void PoolFront::note(const PoolBranching& search) {
    result_.nodes += search.nodes();
    result_.outOfTime = result_.outOfTime || search.outOfTime();
    result_.frontComplete = result_.frontComplete && search.complete();
}

/// Also where each search is too short to look at the clock.
bool PoolFront::outOfTime() {
    if (!first_ && std::chrono::steady_clock::now() > problem_.deadline) {
        result_.outOfTime = true;
        result_.frontComplete = false;
    }
    return result_.outOfTime;
}

void PoolFront::search(const PoolProblem& problem, Region& region) {
    const std::size_t nodes = first_ ? problem.maxNodes : frontNodes();
    PoolBranching search(problem, times_, problem.dspLimit, region.ways, nodes, stop_);
    search.run();
    note(search);
    if (first_) {
        result_.complete = search.complete();
        result_.lowerBound = search.lowerBound();
    }
    first_ = false;
    region.searched = true;
    region.proven = search.complete();
    region.best = search.best();
    region.lut = region.best ? lutOf(*region.best) : 0;
    if (!problem.leastDsp)
        region.least = std::max(region.least, region.best && region.proven ? region.best->time
                                                                           : search.lowerBound());
}

/// Lists the solutions of at most so many choices among the ways that are not listed.
void PoolFront::rank(const PoolProblem& problem, WayChoice ways, std::size_t most) {
    regions_ = {};
    regions_.push({std::move(ways), 0, std::nullopt, made_++});
    while (!regions_.empty() && most > 0 && !stop_.stop_requested()) {
        Region region = regions_.top();
        regions_.pop();
        if (!region.searched) {
            search(problem, region);
            if (region.best)
                regions_.push(std::move(region));
            else
                noteSet(region, region.ways);
            continue;
        }
        const WayChoice taken = waysOf(problem, *region.best);
        if (listed_.insert(taken).second) {
            list(problem, region, taken);
            --most;
        }
        noteSet(region, taken);
        split(region, taken);
        if (!wholeFront() || (!regions_.empty() && outOfTime()))
            return;
    }
}

void PoolFront::noteSet(const Region& region, const WayChoice& ways) {
    sets_.push_back({ways, region.least});
}

void PoolFront::noteRest() {
    for (; !regions_.empty(); regions_.pop())
        noteSet(regions_.top(), regions_.top().ways);
}

/// What is left of the choices when one is taken out: sets that share none.
void PoolFront::split(const Region& region, const WayChoice& taken) {
    WayChoice ways = region.ways;
    for (std::size_t d = 0; d < ways.size(); ++d) {
        ways[d] &= ~taken[d];
        if (ways[d] != 0)
            regions_.push({ways, region.least, std::nullopt, made_++});
        ways[d] = taken[d];
    }
}

/// With these ways: the fastest solution, and those with less and less DSP.
void PoolFront::list(const PoolProblem& problem, const Region& region, const WayChoice& ways) {
    std::vector<PoolSolution> chain = {*region.best};
    std::size_t nodesLeft = frontNodes();
    for (bool proven = wholeFront() && region.proven; proven && nodesLeft > 0;) {
        const double budget = chain.back().dsp - kDspStep;
        PoolBranching search(problem, times_, budget, ways, nodesLeft, stop_);
        search.run();
        note(search);
        proven = search.complete();
        nodesLeft -= std::min(nodesLeft, search.nodes());
        if (!search.best())
            break;
        // An equally fast design with less DSP takes the place of the one before.
        if (search.best()->time <= chain.back().time * (1 + kTimeTolerance))
            chain.pop_back();
        chain.push_back(*search.best());
    }
    result_.front.insert(result_.front.end(), chain.begin(), chain.end());
}

/// Of more choices than are looked at: those that leave logic for others, and that without any
/// streamed call.
void PoolFront::tryParts() {
    PoolProblem smaller = problem_;
    for (const double part : kParts) {
        smaller.logicLimit = part * problem_.logicLimit;
        rank(smaller, allWays(), kOfPart);
    }
    WayChoice none = allWays();
    for (Ways& ways : none)
        ways &= kOnMultipliers;
    if (std::ranges::find(none, Ways{0}) == none.end())
        rank(problem_, none, 1);
}

} // namespace marquetry::extract
