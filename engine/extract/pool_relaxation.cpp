#include "engine/extract/pool_relaxation.h"

#include "engine/support/numbers.h"

#include <algorithm>
#include <cmath>

namespace marquetry::extract {

namespace {

constexpr int kNoLimit = 1 << 20;
/// Of sums of prices; a bound is not rounded up.
constexpr double kSumRounding = 1e-14;

/// Least time among options with at most so many convolutions.
double fastest(const std::vector<ViaOption>& options, int convs) {
    double least = kInfinity;
    for (const ViaOption& option : options)
        if (option.convs <= convs)
            least = std::min(least, option.time);
    return least;
}

} // namespace

double dspOf(const PoolProblem& problem, const std::vector<int>& in) {
    double dsp = 0;
    for (int e : in)
        dsp += problem.entry(e).dsp;
    return dsp;
}

int convsOf(const PoolProblem& problem, const std::vector<int>& in) {
    int convs = 0;
    for (int e : in)
        convs += problem.entry(e).convs;
    return convs;
}

int convsLeft(const PoolProblem& problem, const std::vector<int>& in) {
    return problem.maxConvs < 0 ? kNoLimit : problem.maxConvs - convsOf(problem, in);
}

const EntryTimes::Lists& EntryTimes::within(int convsLeft) {
    const auto known = lists_.find(convsLeft);
    if (known != lists_.end())
        return known->second;
    Lists lists(problem_.demands.size());
    for (std::size_t d = 0; d < lists.size(); ++d) {
        for (int e = 0; e < static_cast<int>(problem_.entries.size()); ++e) {
            const PoolEntry& entry = problem_.entry(e);
            const double time = fastest(entry.via[d], convsLeft - entry.convs);
            if (time == kInfinity)
                continue;
            const auto least = std::ranges::min(entry.via[d], {}, &ViaOption::convs);
            lists[d].push_back({time, e, least.convs});
        }
        std::ranges::stable_sort(lists[d], {}, &Time::time);
    }
    return lists_.emplace(convsLeft, std::move(lists)).first->second;
}

namespace {

bool isCalled(const PoolProblem& problem, const std::vector<int>& in, int base) {
    return std::ranges::any_of(in, [&](int outer) { return problem.entry(outer).base == base; });
}

} // namespace

/// In an optimum of the fewest outlined units each serves the calls that its entry asks for, so no
/// other pools need be looked at. The calls of a unit that another one calls may all be that one's.
int callsLeft(const PoolProblem& problem, const std::vector<int>& in) {
    auto calls = static_cast<int>(problem.demandOf.size());
    for (const int e : in)
        calls -= isCalled(problem, in, e) ? 0 : problem.entry(e).leastCalls;
    return calls;
}

Relaxation::Relaxation(const PoolProblem& problem, const PoolChoice& choice, double budget,
                       EntryTimes* times)
    : problem_(problem),
      choice_(choice),
      budget_(budget),
      rest_(budget - dspOf(problem, choice.in)),
      convsLeft_(convsLeft(problem, choice.in)),
      callsLeft_(callsLeft(problem, choice.in)),
      logic_(problem, choice.ways) {
    feasible_ = rest_ >= 0 && convsLeft_ >= 0 && callsLeft_ >= 0 && logic_.feasible();
    for (std::size_t d = 0; d < problem.demands.size() && feasible_; ++d)
        addDemand(d);
    if (times && feasible_)
        openEntries(times->within(convsLeft_));
    int convs = 0;
    for (const Demand& demand : demands_) {
        const bool served =
            demand.inTime < kInfinity || !demand.private_.empty() || !demand.via.empty();
        feasible_ = feasible_ && served;
        convs += demand.leastConvs * static_cast<int>(demand.count);
    }
    feasible_ = feasible_ && convs <= convsLeft_;
    for (int must : problem.mustShare)
        feasible_ = feasible_ && (!unmet(must) || std::ranges::any_of(open_, [&](int e) {
                        return problem.entry(e).eclass == must;
                    }));
}

void Relaxation::addDemand(std::size_t index) {
    const CallDemand& calls = problem_.demands[index];
    Demand demand;
    demand.count = calls.count;
    demand.inTime = kInfinity;
    demand.leastConvs = kNoLimit;
    for (int e : choice_.in)
        for (const ViaOption& option : problem_.entry(e).via[index])
            if (onMultipliers(index) && option.convs <= convsLeft_) {
                demand.inTime = std::min(demand.inTime, scaled(option.time));
                demand.leastConvs = std::min(demand.leastConvs, option.convs);
            }
    for (const PrivateOption& option : calls.options)
        if (option.dsp <= rest_ && option.convs <= convsLeft_ && logic_.allows(index, option)) {
            demand.private_.push_back(
                {scaled(option.time), option.dsp, logic_.share(option.logic)});
            demand.leastConvs = std::min(demand.leastConvs, option.convs);
        }
    demands_.push_back(std::move(demand));
}

bool Relaxation::unmet(int eclass) const {
    return std::ranges::none_of(choice_.in,
                                [&](int e) { return problem_.entry(e).eclass == eclass; });
}

/// A nested unit takes the place of the one it calls among those that must serve some.
bool Relaxation::hasCalls(const PoolEntry& entry) const {
    const bool freed = entry.base >= 0 &&
                       std::ranges::find(choice_.in, entry.base) != choice_.in.end() &&
                       !isCalled(problem_, choice_.in, entry.base);
    return entry.leastCalls <= callsLeft_ + (freed ? problem_.entry(entry.base).leastCalls : 0);
}

/// A nested unit needs the one it calls.
bool Relaxation::mayOpen(int index) const {
    const PoolEntry& entry = problem_.entry(index);
    const bool in = std::ranges::find(choice_.in, index) != choice_.in.end();
    if (choice_.out[static_cast<std::size_t>(index)] || entry.dsp > rest_ ||
        entry.convs > convsLeft_ || !hasCalls(entry) || in ||
        (problem_.onePerClass && !unmet(entry.eclass)))
        return false;
    const auto& forbidden = problem_.mustNotBuild;
    if (std::ranges::find(forbidden, index) != forbidden.end())
        return false;
    if (entry.base < 0 || std::ranges::find(choice_.in, entry.base) != choice_.in.end())
        return true;
    return mayOpen(entry.base);
}

/// By entry: the calls that it would serve faster than what is in.
std::vector<double> Relaxation::improvedCalls(const EntryTimes::Lists& times) const {
    std::vector<double> calls(problem_.entries.size(), 0.0);
    for (std::size_t d = 0; d < demands_.size(); ++d)
        for (const auto& [time, e, convs] : times[d]) {
            if (!onMultipliers(d) || scaled(time) >= demands_[d].inTime)
                break;
            calls[static_cast<std::size_t>(e)] += demands_[d].count;
        }
    return calls;
}

void Relaxation::openEntries(const EntryTimes::Lists& times) {
    constexpr std::size_t kClosed = std::numeric_limits<std::size_t>::max();
    const std::vector<double> improved = improvedCalls(times);
    std::vector<std::size_t> slots(problem_.entries.size(), kClosed);
    for (std::size_t e = 0; e < slots.size(); ++e) {
        const auto& must = problem_.mustShare;
        const bool useful = improved[e] >= problem_.entries[e].leastCalls ||
                            std::ranges::find(must, problem_.entries[e].eclass) != must.end();
        if (!useful || !mayOpen(static_cast<int>(e)))
            continue;
        slots[e] = open_.size();
        open_.push_back(static_cast<int>(e));
    }
    for (std::size_t d = 0; d < demands_.size(); ++d) {
        Demand& demand = demands_[d];
        for (const auto& [time, e, leastConvs] : times[d]) {
            if (!onMultipliers(d))
                break;
            const std::size_t slot = slots[static_cast<std::size_t>(e)];
            if (slot == kClosed)
                continue;
            if (scaled(time) < demand.inTime)
                demand.via.emplace_back(scaled(time), slot);
            else if (demand.leastConvs == 0)
                break;
            demand.leastConvs = std::min(demand.leastConvs, leastConvs);
        }
    }
}

double Relaxation::withoutOpen(const Demand& demand, const Prices& prices) const {
    double least = demand.inTime;
    for (const auto& [time, dsp, share] : demand.private_)
        least = std::min(least, time + prices.dsp * dsp + prices.logic * share);
    return least;
}

/// Raises the values of the calls, up to `cap`, while no open entry is paid more than its slack.
class Relaxation::Ascent {
public:
    Ascent(const std::vector<Demand>& demands, std::vector<double> slack, std::vector<double> cap)
        : demands_(demands),
          slack_(std::move(slack)),
          cap_(std::move(cap)),
          value_(demands.size()),
          active_(demands.size(), 0) {
        for (std::size_t d = 0; d < demands.size(); ++d) {
            const auto& via = demands[d].via;
            value_[d] = via.empty() ? cap_[d] : std::min(cap_[d], via.front().first);
            activate(d);
        }
        for (bool raised = true; raised;) {
            raised = false;
            for (std::size_t d = 0; d < demands.size(); ++d)
                raised = raise(d) || raised;
        }
    }

    double sum() const {
        double sum = 0;
        for (std::size_t d = 0; d < demands_.size(); ++d)
            sum += demands_[d].count * value_[d];
        return sum;
    }

private:
    void activate(std::size_t d) {
        const auto& via = demands_[d].via;
        while (active_[d] < via.size() && via[active_[d]].first <= value_[d])
            ++active_[d];
    }

    bool raise(std::size_t d) {
        const Demand& demand = demands_[d];
        double& value = value_[d];
        if (value >= cap_[d])
            return false;
        const double next =
            active_[d] < demand.via.size() ? demand.via[active_[d]].first : kInfinity;
        double step = std::min(cap_[d], next) - value;
        for (std::size_t k = 0; k < active_[d]; ++k)
            step = std::min(step, slack_[demand.via[k].second] / demand.count);
        if (step <= 1e-9 * value)
            return false;
        for (std::size_t k = 0; k < active_[d]; ++k)
            slack_[demand.via[k].second] -= step * demand.count;
        value += step;
        if (value >= next * (1 - 1e-12))
            value = std::max(value, next);
        activate(d);
        return true;
    }

    const std::vector<Demand>& demands_;
    std::vector<double> slack_; ///< of open entries
    std::vector<double> cap_;
    std::vector<double> value_;
    std::vector<std::size_t> active_; ///< entries whose time is ≤ value
};

double Relaxation::at(const Prices& prices) const {
    std::vector<double> slack(open_.size());
    for (std::size_t k = 0; k < open_.size(); ++k)
        slack[k] = prices.dsp * problem_.entry(open_[k]).dsp;
    std::vector<double> cap(demands_.size());
    for (std::size_t d = 0; d < demands_.size(); ++d)
        cap[d] = withoutOpen(demands_[d], prices);
    const double calls = Ascent(demands_, std::move(slack), std::move(cap)).sum();
    if (calls == kInfinity)
        return kInfinity;
    const double limits =
        problem_.leastDsp ? -dspOf(problem_, choice_.in) : prices.dsp * rest_ + prices.logic;
    // Where the limits are used up exactly, a price of any height leaves two equal sums.
    return calls - limits - kSumRounding * (calls + std::abs(limits));
}

PoolBound Relaxation::best(double startPrice, double cutoff) const {
    if (problem_.leastDsp)
        return {at({1, 0}), 1};
    PoolBound best{at({0, 0}), 0};
    if (best.value >= cutoff || best.value == kInfinity)
        return best;
    double price = startPrice > 0 ? startPrice : best.value / std::max(1.0, budget_);
    PoolBound here{at({price, 0}), price};
    // Uphill in steps that shrink; the bound is concave in the price but for the dual's heuristics.
    for (double step = startPrice > 0 ? 1.5 : 8; step > 1.02 && here.value < cutoff;) {
        const PoolBound up{at({here.price * step, 0}), here.price * step};
        if (up.value > here.value) {
            here = up;
            continue;
        }
        const PoolBound down{at({here.price / step, 0}), here.price / step};
        if (down.value > here.value)
            here = down;
        else
            step = std::sqrt(step);
    }
    return priceLogic(here.value > best.value ? here : best, cutoff);
}

/// Where not all ways have room, a price on logic may give a higher bound.
PoolBound Relaxation::priceLogic(PoolBound bound, double cutoff) const {
    constexpr double kHopeless = 1e18; // DSP blocks are short, whatever their price
    if (!logic_.open() || bound.value > kHopeless || bound.value >= cutoff)
        return bound;
    double price = 0;
    const auto raise = [&](double to) {
        const double value = at({bound.price, to});
        if (!(value > bound.value)) // nor where an infinite price makes it no number
            return false;
        bound.value = value;
        price = to;
        return true;
    };
    const double whole = std::max(1.0, bound.value);
    for (double first = 4 * whole; first > whole / 100 && bound.value < cutoff; first /= 4)
        raise(first);
    // Without end where no choice has room: other bounds say so in the end.
    for (double step = 2; price > 0 && price < 1e4 * whole && step > 1.05 && bound.value < cutoff;)
        if (!raise(price * step) && !raise(price / step))
            step = std::sqrt(step);
    return bound;
}

/// By demand: the least time through what is in, a private unit or one of the entries, with at most
/// so many convolutions above.
std::vector<double> Relaxation::servedBy(const std::vector<int>& entries, int convs) const {
    std::vector<double> times;
    for (std::size_t d = 0; d < problem_.demands.size(); ++d) {
        double least = kInfinity;
        for (const auto& list : {entries, choice_.in})
            for (int e : list)
                if (onMultipliers(d))
                    least = std::min(least, scaled(fastest(problem_.entry(e).via[d], convs)));
        for (const PrivateOption& option : problem_.demands[d].options)
            if (option.dsp <= rest_ && option.convs <= convs && logic_.allows(d, option))
                least = std::min(least, scaled(option.time));
        times.push_back(least);
    }
    return times;
}

/// Whether these entries and what is in leave no call without a unit and need no more convolutions
/// than there are.
bool Relaxation::canServe(const std::vector<int>& entries) const {
    int needed = 0;
    for (std::size_t d = 0; d < problem_.demands.size(); ++d) {
        int least = kNoLimit;
        for (const auto& list : {entries, choice_.in})
            for (int e : list)
                for (const ViaOption& option : problem_.entry(e).via[d])
                    if (onMultipliers(d))
                        least = std::min(least, option.convs);
        for (const PrivateOption& option : problem_.demands[d].options)
            if (option.dsp <= rest_ && logic_.allows(d, option))
                least = std::min(least, option.convs);
        needed += std::min(least, convsLeft_ + 1) * problem_.demands[d].count;
    }
    return needed <= convsLeft_;
}

/// DSP is not priced: once a unit for all convolutions is chosen, its own time tells most.
std::vector<std::pair<int, double>> Relaxation::convChoices() const {
    std::vector<int> takers;
    std::vector<int> others;
    for (int e : open_)
        (problem_.entry(e).convs > 0 ? takers : others).push_back(e);
    if (problem_.maxConvs < 0 || takers.empty() || canServe(others))
        return {};
    std::map<int, std::vector<double>> served; // by convolutions left above
    std::vector<std::pair<int, double>> choices;
    for (int e : takers) {
        const PoolEntry& entry = problem_.entry(e);
        const int left = convsLeft_ - entry.convs;
        if (!served.contains(left))
            served.emplace(left, servedBy(others, left));
        double bound = problem_.leastDsp ? dspOf(problem_, choice_.in) + entry.dsp : 0;
        for (std::size_t d = 0; d < problem_.demands.size(); ++d)
            bound += problem_.demands[d].count *
                     std::min(served.at(left)[d], scaled(fastest(entry.via[d], left)));
        if (bound < kInfinity)
            choices.emplace_back(e, bound);
    }
    return choices;
}

int Relaxation::branchEntry(double price) const {
    std::vector<double> saved(open_.size(), 0.0);
    for (const Demand& demand : demands_) {
        const double cap = withoutOpen(demand, {price, 0});
        for (const auto& [time, k] : demand.via)
            // A call that only open entries serve is worth any price.
            saved[k] += demand.count * (cap == kInfinity ? 1e12 + time : std::max(0.0, cap - time));
    }
    int best = -1;
    double bestScore = -kInfinity;
    for (std::size_t k = 0; k < open_.size(); ++k) {
        const PoolEntry& entry = problem_.entry(open_[k]);
        double score = saved[k] - price * entry.dsp;
        const auto& must = problem_.mustShare;
        // What decides most comes first: pinned units, then those that use up the convolutions.
        if (std::ranges::find(must, entry.eclass) != must.end())
            score += 1e18;
        else if (problem_.maxConvs >= 0 && entry.convs > 0)
            score += 1e16;
        if (score > bestScore) {
            bestScore = score;
            best = open_[k];
        }
    }
    return best;
}

} // namespace marquetry::extract
