#include "engine/extract/pool.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace marquetry::extract {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// State of the dynamic programme after some calls: undominated sums, with the choice that led
/// here.
struct Partial {
    double time = 0;
    double dsp = 0;
    int convs = 0;
    int uses = 0; ///< base-3 digits: calls on each must-share entry, at most 2 counted
    int previous = -1;
    CallChoice choice;
};

bool dominates(const Partial& a, const Partial& b) {
    return a.uses >= b.uses && a.time <= b.time && a.dsp <= b.dsp && a.convs <= b.convs;
}

class Search {
public:
    Search(const PoolProblem& problem, std::stop_token stop)
        : problem_(problem), stop_(std::move(stop)) {}

    PoolResult run() {
        result_.lowerBound = boundOver(allEntries());
        result_.bestWithEntry.assign(problem_.entries.size(), kInfinity);
        std::vector<int> pool;
        extend(pool, 0);
        for (int size = 1; size <= problem_.maxPool && !stopped_; ++size)
            tryPools(size);
        result_.complete = !stopped_;
        std::ranges::sort(result_.front, {}, &PoolSolution::time);
        return std::move(result_);
    }

private:
    std::vector<int> allEntries() const {
        std::vector<int> all;
        for (std::size_t e = 0; e < problem_.entries.size(); ++e)
            if (problem_.entries[e].dsp <= problem_.dspLimit)
                all.push_back(static_cast<int>(e));
        return all;
    }

    const Entry& entry(int index) const {
        return problem_.entries[static_cast<std::size_t>(index)];
    }

    /// Sum over the calls of the least time any option offers; a lower bound for every pool that
    /// is a subset of `entries`.
    double boundOver(const std::vector<int>& entries) const {
        double sum = 0;
        for (std::size_t c = 0; c < problem_.calls.size(); ++c) {
            double least = kInfinity;
            for (const PrivateOption& option : problem_.calls[c].options)
                if (option.dsp <= problem_.dspLimit)
                    least = std::min(least, option.time);
            for (int e : entries)
                for (const ViaOption& option : entry(e).via[c])
                    least = std::min(least, option.time);
            sum += least;
        }
        return sum;
    }

    void tryPools(int size) {
        std::vector<int> pool;
        choose(pool, 0, size);
    }

    void choose(std::vector<int>& pool, std::size_t first, int size) {
        if (static_cast<int>(pool.size()) == size) {
            extend(pool, size);
            return;
        }
        for (std::size_t e = first; e < problem_.entries.size() && !stopped_; ++e) {
            pool.push_back(static_cast<int>(e));
            if (fixedDsp(pool) <= problem_.dspLimit)
                choose(pool, e + 1, size);
            pool.pop_back();
        }
    }

    double fixedDsp(const std::vector<int>& pool) const {
        double dsp = 0;
        for (int e : pool)
            dsp += entry(e).dsp;
        return dsp;
    }

    bool basesPresent(const std::vector<int>& pool) const {
        return std::ranges::all_of(pool, [&](int e) {
            return entry(e).base < 0 || std::ranges::find(pool, entry(e).base) != pool.end();
        });
    }

    /// One unit class is outlined once, and pinned classes are outlined.
    bool admissible(const std::vector<int>& pool) const {
        for (std::size_t a = 0; a < pool.size(); ++a)
            for (std::size_t b = a + 1; b < pool.size(); ++b)
                if (entry(pool[a]).eclass == entry(pool[b]).eclass)
                    return false;
        for (int must : problem_.mustShare)
            if (std::ranges::none_of(pool, [&](int e) { return entry(e).eclass == must; }))
                return false;
        return basesPresent(pool);
    }

    /// A pool larger than one is worth its programme only if it can be faster than what is known.
    bool promising(const std::vector<int>& pool, int size) const {
        if (problem_.leastDsp)
            return fixedDsp(pool) < bestDsp_;
        if (size <= 1 || bestTime_ == kInfinity)
            return true;
        return boundOver(pool) < bestTime_;
    }

    void extend(const std::vector<int>& pool, int size) {
        if (++result_.poolsTried > problem_.maxPools ||
            (result_.poolsTried % 64 == 0 && stop_.stop_requested())) {
            stopped_ = true;
            return;
        }
        if (admissible(pool) && promising(pool, size))
            combine(pool);
    }

    void combine(const std::vector<int>& pool) {
        arena_.clear();
        Partial start;
        start.dsp = fixedDsp(pool);
        for (int e : pool)
            start.convs += entry(e).convs;
        arena_.push_back(start);
        std::vector<int> level = {0};
        for (std::size_t c = 0; c < problem_.calls.size() && !level.empty(); ++c)
            level = advance(level, c, pool);
        for (int index : level)
            if (enoughUses(arena_[static_cast<std::size_t>(index)]))
                record(index, pool);
    }

    std::vector<int> advance(const std::vector<int>& level, std::size_t call,
                             const std::vector<int>& pool) {
        std::vector<int> next;
        const auto offer = [&](int from, const CallChoice& choice, double dsp, int convs,
                               int usesDigit) {
            Partial partial = arena_[static_cast<std::size_t>(from)];
            partial.time += choice.time;
            partial.dsp += dsp;
            partial.convs += convs;
            partial.uses = addUse(partial.uses, usesDigit);
            partial.previous = from;
            partial.choice = choice;
            insert(next, partial);
        };
        for (int from : level) {
            const auto& options = problem_.calls[call].options;
            for (std::size_t e = 0; e < pool.size(); ++e)
                for (const ViaOption& option : entry(pool[e]).via[call])
                    offer(from, {pool[e], -1, option.time}, 0, option.convs, digitOf(pool[e]));
            for (std::size_t k = 0; k < options.size(); ++k)
                offer(from, {-1, static_cast<int>(k), options[k].time}, options[k].dsp,
                      options[k].convs, -1);
        }
        return next;
    }

    int digitOf(int e) const {
        const auto& must = problem_.mustShare;
        const auto found = std::ranges::find(must, entry(e).eclass);
        return found == must.end() ? -1 : static_cast<int>(found - must.begin());
    }

    static int addUse(int uses, int digit) {
        if (digit < 0)
            return uses;
        int weight = 1;
        for (int k = 0; k < digit; ++k)
            weight *= 3;
        return uses / weight % 3 < 2 ? uses + weight : uses;
    }

    bool enoughUses(const Partial& partial) const {
        int uses = partial.uses;
        for (std::size_t k = 0; k < problem_.mustShare.size(); ++k, uses /= 3)
            if (uses % 3 < 2)
                return false;
        return true;
    }

    void insert(std::vector<int>& level, const Partial& partial) {
        const bool tooMany = problem_.maxConvs >= 0 && partial.convs > problem_.maxConvs;
        if (partial.dsp > problem_.dspLimit || tooMany)
            return;
        const bool counted = !problem_.mustShare.empty();
        for (int other : level) {
            const Partial& kept = arena_[static_cast<std::size_t>(other)];
            if (dominates(kept, partial) && (!counted || kept.uses == partial.uses))
                return;
        }
        std::erase_if(level, [&](int other) {
            const Partial& kept = arena_[static_cast<std::size_t>(other)];
            return dominates(partial, kept) && (!counted || kept.uses == partial.uses);
        });
        level.push_back(static_cast<int>(arena_.size()));
        arena_.push_back(partial);
    }

    void record(int index, const std::vector<int>& pool) {
        const Partial& last = arena_[static_cast<std::size_t>(index)];
        for (int e : pool) {
            double& best = result_.bestWithEntry[static_cast<std::size_t>(e)];
            best = std::min(best, last.time);
        }
        const auto covers = [](double aTime, double aDsp, double bTime, double bDsp) {
            return aTime <= bTime && aDsp <= bDsp;
        };
        for (const PoolSolution& known : result_.front)
            if (covers(known.time, known.dsp, last.time, last.dsp))
                return;
        std::erase_if(result_.front, [&](const PoolSolution& known) {
            return covers(last.time, last.dsp, known.time, known.dsp);
        });
        PoolSolution solution{last.time, last.dsp, pool, {}};
        for (int at = index; arena_[static_cast<std::size_t>(at)].previous >= 0;
             at = arena_[static_cast<std::size_t>(at)].previous)
            solution.calls.push_back(arena_[static_cast<std::size_t>(at)].choice);
        std::ranges::reverse(solution.calls);
        bestTime_ = std::min(bestTime_, solution.time);
        bestDsp_ = std::min(bestDsp_, solution.dsp);
        result_.front.push_back(std::move(solution));
    }

    const PoolProblem& problem_;
    std::stop_token stop_;
    PoolResult result_;
    std::vector<Partial> arena_;
    double bestTime_ = kInfinity;
    double bestDsp_ = kInfinity;
    bool stopped_ = false;
};

} // namespace

bool check(const PoolProblem& problem) {
    const int entries = static_cast<int>(problem.entries.size());
    return std::ranges::all_of(problem.entries, [&](const Entry& entry) {
        return entry.via.size() == problem.calls.size() && entry.base < entries;
    });
}

bool verify(const PoolProblem& problem, const PoolSolution& solution) {
    double time = 0;
    double dsp = 0;
    int convs = 0;
    for (int e : solution.pool) {
        dsp += problem.entries[static_cast<std::size_t>(e)].dsp;
        convs += problem.entries[static_cast<std::size_t>(e)].convs;
    }
    if (solution.calls.size() != problem.calls.size())
        return false;
    for (std::size_t c = 0; c < solution.calls.size(); ++c) {
        const CallChoice& choice = solution.calls[c];
        time += choice.time;
        if (choice.entry < 0) {
            const auto& option =
                problem.calls[c].options[static_cast<std::size_t>(choice.private_)];
            dsp += option.dsp;
            convs += option.convs;
            continue;
        }
        const auto& via = problem.entries[static_cast<std::size_t>(choice.entry)].via[c];
        const auto used = std::ranges::find(via, choice.time, &ViaOption::time);
        if (used == via.end() ||
            std::ranges::find(solution.pool, choice.entry) == solution.pool.end())
            return false;
        convs += used->convs;
    }
    const bool convsFit = problem.maxConvs < 0 || convs <= problem.maxConvs;
    return convsFit && dsp <= problem.dspLimit && std::abs(dsp - solution.dsp) < 1e-6 &&
           std::abs(time - solution.time) <= 1e-9 * std::max(1.0, time);
}

PoolResult searchPools(const PoolProblem& problem, std::stop_token stop) {
    ENGINE_ASSERT(check(problem), "a well-formed pool problem");
    return Search(problem, std::move(stop)).run();
}

} // namespace marquetry::extract
