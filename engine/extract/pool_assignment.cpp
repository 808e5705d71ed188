#include "engine/extract/pool_assignment.h"

#include "engine/support/numbers.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace marquetry::extract {

namespace {

/// Sums of calls kept while the ways of streamed calls compete for logic.
constexpr std::size_t kMaxSums = 512;

struct PricedChoice {
    CallChoice choice;
    device::Resources logic;
    double dsp = 0;
    int convs = 0;
    int pinned = -1; ///< index of the must-share class it uses
};

/// Sums after some calls, with the choice that led here.
struct Partial {
    double time = 0;
    double dsp = 0;
    device::Resources logic; ///< of streamed circuits, where they compete for it
    int convs = 0;
    int uses = 0; ///< base-3 digits: calls on each must-share class, at most 2 counted
    int previous = -1;
    CallChoice choice;
};

/// What is kept of a sum of time and DSP until it is known to be one of the best.
struct PlainSum {
    int uses = 0;
    double dsp = 0;
    double time = 0;
    int previous = -1;
    const PricedChoice* choice = nullptr;

    auto key() const { return std::tuple(uses, dsp, time, previous, choice); }
};

class Assignment {
public:
    Assignment(const PoolProblem& problem, const PoolChoice& choice, double budget, double cutoff,
               std::stop_token stop)
        : problem_(problem),
          in_(choice.in),
          ways_(choice.ways),
          logic_(problem, choice.ways),
          competes_(logic_.open()),
          budget_(budget),
          cutoff_(cutoff),
          stop_(std::move(stop)) {}

    std::optional<PoolSolution> run(double price) {
        price_ = price;
        listChoices();
        sumRest();
        Partial start;
        start.dsp = dspOf(problem_, in_);
        start.convs = convsOf(problem_, in_);
        arena_.push_back(start);
        std::vector<int> level = {0};
        for (std::size_t c = 0; c < problem_.demandOf.size() && !level.empty(); ++c) {
            if (stop_.stop_requested())
                return std::nullopt;
            level = advance(level, c);
        }
        return bestOf(level);
    }

private:
    const Partial& partial(int index) const { return arena_[static_cast<std::size_t>(index)]; }

    void listChoices() {
        choices_.resize(problem_.demands.size());
        const auto& must = problem_.mustShare;
        for (std::size_t d = 0; d < choices_.size(); ++d) {
            for (int e : in_) {
                if ((ways_[d] & kOnMultipliers) == 0)
                    break;
                const auto found = std::ranges::find(must, problem_.entry(e).eclass);
                const int pinned =
                    found == must.end() ? -1 : static_cast<int>(found - must.begin());
                const auto& via = problem_.entry(e).via[d];
                for (std::size_t k = 0; k < via.size(); ++k)
                    choices_[d].push_back(
                        {{e, static_cast<int>(k), via[k].time}, {}, 0, via[k].convs, pinned});
            }
            const auto& options = problem_.demands[d].options;
            for (std::size_t k = 0; k < options.size(); ++k)
                if (logic_.allows(d, options[k]))
                    choices_[d].push_back({{-1, static_cast<int>(k), options[k].time},
                                           options[k].logic,
                                           options[k].dsp,
                                           options[k].convs,
                                           -1});
            dropWorse(choices_[d]);
        }
    }

    /// Time and DSP are all that a choice takes, besides its use of a class that must be shared.
    bool plain() const { return !competes_ && problem_.maxConvs < 0; }

    /// Choices that another one is no worse than; the first of equal ones stays.
    static void dropWorse(std::vector<PricedChoice>& choices) {
        std::vector<PricedChoice> kept;
        const auto covers = [](const PricedChoice& a, const PricedChoice& b) {
            return a.choice.time <= b.choice.time && a.dsp <= b.dsp && a.convs <= b.convs &&
                   a.pinned == b.pinned && a.logic.fits(b.logic);
        };
        for (const PricedChoice& choice : choices) {
            if (std::ranges::any_of(kept, [&](const auto& other) { return covers(other, choice); }))
                continue;
            std::erase_if(kept, [&](const auto& other) { return covers(choice, other); });
            kept.push_back(choice);
        }
        choices = std::move(kept);
    }

    double priced(double time, double dsp) const {
        return problem_.leastDsp ? dsp : time + price_ * dsp;
    }

    /// rest_[c]: what the calls from c on cost at least, at the price.
    void sumRest() {
        std::vector<double> least(choices_.size(), kInfinity);
        for (std::size_t d = 0; d < choices_.size(); ++d)
            for (const PricedChoice& choice : choices_[d])
                least[d] = std::min(least[d], priced(choice.choice.time, choice.dsp));
        const std::size_t calls = problem_.demandOf.size();
        rest_.assign(calls + 1, 0);
        restLogic_.assign(calls + 1, {});
        for (std::size_t c = calls; c-- > 0;) {
            const auto d = static_cast<std::size_t>(problem_.demandOf[c]);
            rest_[c] = rest_[c + 1] + least[d];
            restLogic_[c] = restLogic_[c + 1] + logic_.least(d);
        }
    }

    std::vector<int> advance(const std::vector<int>& level, std::size_t call) {
        if (plain())
            return advancePlainly(level, call);
        std::vector<int> next;
        for (int from : level)
            for (const PricedChoice& choice : choicesOf(call)) {
                Partial sum = partial(from);
                sum.time += choice.choice.time;
                sum.dsp += choice.dsp;
                if (competes_)
                    sum.logic += choice.logic;
                sum.convs += choice.convs;
                sum.uses = addUse(sum.uses, choice.pinned);
                sum.previous = from;
                sum.choice = choice.choice;
                if (fits(sum, call + 1))
                    insert(next, sum);
            }
        if (competes_ && next.size() > kMaxSums) {
            std::ranges::stable_sort(
                next, {}, [this](int k) { return priced(partial(k).time, partial(k).dsp); });
            next.resize(kMaxSums);
        }
        return next;
    }

    const std::vector<PricedChoice>& choicesOf(std::size_t call) const {
        return choices_[static_cast<std::size_t>(problem_.demandOf[call])];
    }

    /// Sums of time and DSP alone: the best of those with the same uses, by sorting.
    std::vector<int> advancePlainly(const std::vector<int>& level, std::size_t call) {
        sums_.clear();
        for (std::vector<int>& sums : ofBlocks_)
            std::ranges::fill(sums, -1);
        for (int from : level)
            for (const PricedChoice& choice : choicesOf(call)) {
                const Partial& before = partial(from);
                const PlainSum sum{addUse(before.uses, choice.pinned), before.dsp + choice.dsp,
                                   before.time + choice.choice.time, from, &choice};
                if (sum.dsp <= budget_ && inReach(sum.time, sum.dsp, call + 1))
                    addSum(sum);
            }
        std::ranges::sort(sums_, {}, &PlainSum::key);
        std::vector<int> next;
        double fastest = kInfinity;
        int uses = -1;
        for (const PlainSum& sum : sums_) {
            if (sum.uses == uses && sum.time >= fastest)
                continue;
            uses = sum.uses;
            fastest = sum.time;
            next.push_back(static_cast<int>(arena_.size()));
            arena_.push_back({sum.time, sum.dsp, {}, 0, uses, sum.previous, sum.choice->choice});
        }
        return next;
    }

    /// Of sums with the same uses that take as many whole blocks, the first is enough: there are
    /// many more sums than numbers of blocks, and sorting them took most of the time.
    void addSum(const PlainSum& sum) {
        constexpr double kMostBlocks = 1 << 16;
        constexpr std::size_t kMostUses = 9; // of two classes that must be shared
        const auto uses = static_cast<std::size_t>(sum.uses);
        if (uses >= kMostUses || sum.dsp != std::floor(sum.dsp) || sum.dsp > kMostBlocks)
            return sums_.push_back(sum);
        const auto blocks = static_cast<std::size_t>(sum.dsp);
        ofBlocks_.resize(std::max(ofBlocks_.size(), uses + 1));
        std::vector<int>& ofUses = ofBlocks_[uses];
        if (blocks >= ofUses.size())
            ofUses.resize(blocks + 1, -1);
        int& at = ofUses[blocks];
        if (at < 0) {
            at = static_cast<int>(sums_.size());
            return sums_.push_back(sum);
        }
        PlainSum& known = sums_[static_cast<std::size_t>(at)];
        if (sum.key() < known.key())
            known = sum;
    }

    bool inReach(double time, double dsp, std::size_t next) const {
        const double least = priced(time, dsp) + rest_[next];
        return (problem_.leastDsp ? least : least - price_ * budget_) < cutoff_;
    }

    bool fits(const Partial& sum, std::size_t next) const {
        if (sum.dsp > budget_ || (problem_.maxConvs >= 0 && sum.convs > problem_.maxConvs))
            return false;
        if (competes_ && !logic_.fits(sum.logic + restLogic_[next]))
            return false;
        return inReach(sum.time, sum.dsp, next);
    }

    void insert(std::vector<int>& level, const Partial& sum) {
        const auto covers = [](const Partial& a, const Partial& b) {
            return a.uses == b.uses && a.time <= b.time && a.dsp <= b.dsp && a.convs <= b.convs &&
                   a.logic.fits(b.logic);
        };
        for (int other : level)
            if (covers(partial(other), sum))
                return;
        std::erase_if(level, [&](int other) { return covers(sum, partial(other)); });
        level.push_back(static_cast<int>(arena_.size()));
        arena_.push_back(sum);
    }

    static int addUse(int uses, int digit) {
        if (digit < 0)
            return uses;
        int weight = 1;
        for (int k = 0; k < digit; ++k)
            weight *= 3;
        return uses / weight % 3 < 2 ? uses + weight : uses;
    }

    bool enoughUses(int uses) const {
        for (std::size_t k = 0; k < problem_.mustShare.size(); ++k, uses /= 3)
            if (uses % 3 < 2)
                return false;
        return true;
    }

    std::optional<PoolSolution> bestOf(const std::vector<int>& level) const {
        int best = -1;
        const auto rank = [&](const Partial& sum) {
            return problem_.leastDsp ? std::pair(sum.dsp, sum.time) : std::pair(sum.time, sum.dsp);
        };
        for (int index : level)
            if (enoughUses(partial(index).uses) &&
                (best < 0 || rank(partial(index)) < rank(partial(best))))
                best = index;
        if (best < 0)
            return std::nullopt;
        PoolSolution solution{partial(best).time, partial(best).dsp, in_, {}};
        for (int at = best; partial(at).previous >= 0; at = partial(at).previous)
            solution.calls.push_back(partial(at).choice);
        std::ranges::reverse(solution.calls);
        dropUnused(solution);
        return solution;
    }

    /// Entries that no call and no other entry uses are not built.
    void dropUnused(PoolSolution& solution) const {
        std::vector<int> used;
        const auto use = [&](int entry) {
            if (entry >= 0 && std::ranges::find(used, entry) == used.end())
                used.push_back(entry);
        };
        for (const CallChoice& choice : solution.calls)
            if (choice.entry >= 0) {
                use(choice.entry);
                use(problem_.entry(choice.entry).base);
            }
        std::erase_if(solution.pool,
                      [&](int e) { return std::ranges::find(used, e) == used.end(); });
        solution.dsp += dspOf(problem_, solution.pool) - dspOf(problem_, in_);
    }

    const PoolProblem& problem_;
    const std::vector<int>& in_;
    const WayChoice& ways_;
    PoolLogic logic_;
    bool competes_;
    double budget_;
    double cutoff_;
    std::stop_token stop_;
    double price_ = 0;
    std::vector<std::vector<PricedChoice>> choices_; ///< by demand
    std::vector<double> rest_;
    std::vector<device::Resources> restLogic_; ///< least that the calls from c on take
    std::vector<Partial> arena_;
    std::vector<PlainSum> sums_;             ///< of a call, as they are found
    std::vector<std::vector<int>> ofBlocks_; ///< of those sums, by uses and blocks; −1: none
};

} // namespace

std::optional<PoolSolution> assignCalls(const PoolProblem& problem, const PoolChoice& choice,
                                        double budget, double cutoff, std::stop_token stop) {
    const Relaxation relaxation(problem, choice, budget, nullptr);
    if (!relaxation.feasible())
        return std::nullopt;
    const PoolBound bound = relaxation.best(0, cutoff);
    if (bound.value >= cutoff)
        return std::nullopt;
    return Assignment(problem, choice, budget, cutoff, std::move(stop)).run(bound.price);
}

} // namespace marquetry::extract
