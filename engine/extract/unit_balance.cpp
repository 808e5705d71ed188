#include "engine/extract/unit_balance.h"

#include "engine/support/numbers.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace marquetry::extract {

namespace {

constexpr std::size_t kMostUnits = 5;     ///< of products: queues for more are rare
constexpr std::size_t kPartsOfLimit = 24; ///< of the DSP limit: sets are compared within a part
constexpr std::size_t kKept = 4;          ///< sets of a part and a number of units
constexpr std::size_t kMostMachines = 1200;
constexpr double kLeastGainOfAUnit = 0.01; ///< of a further unit

/// A unit that may be built.
struct Machine {
    int entry = -1;       ///< of the pool problem; −1: a private unit
    std::size_t call = 0; ///< whose private unit it is
    double dsp = 0;
    device::Resources logic;   ///< of a streamed circuit
    std::vector<double> times; ///< by call of the balance; infinity: cannot run there
    std::vector<int> options;  ///< likewise
};

struct MachineSet {
    std::vector<std::size_t> machines;
    double dsp = 0;
    double load = kInfinity; ///< of the machine that has most to do
    device::Resources logic; ///< of streamed circuits
};

/// Calls, and the machines that may run them.
class Balance {
public:
    /// `streams`: where pins ask for no circuit, calls may have one all the same.
    Balance(const ExtractionProblem& problem, std::vector<std::size_t> calls, bool streams)
        : problem_(problem), calls_(std::move(calls)), streams_(streams) {
        const PoolProblem& pool = problem.pool;
        for (int e = 0; e < static_cast<int>(pool.entries.size()); ++e)
            if (pool.entry(e).base < 0 &&
                std::ranges::find(pool.mustNotBuild, e) == pool.mustNotBuild.end())
                addEntry(e);
        for (std::size_t k = 0; k < calls_.size(); ++k)
            addPrivate(k);
        order_.resize(calls_.size());
        for (std::size_t k = 0; k < calls_.size(); ++k)
            order_[k] = k;
        std::ranges::stable_sort(order_, std::ranges::greater{}, [&](std::size_t k) {
            double least = kInfinity;
            for (const Machine& machine : machines_)
                least = std::min(least, machine.times[k]);
            return least;
        });
    }

    const std::vector<std::size_t>& calls() const { return calls_; }
    const Machine& machine(std::size_t index) const { return machines_[index]; }

    /// By number of machines, from one on: sets with different numbers of blocks.
    std::vector<std::vector<MachineSet>> sets(std::size_t most, const std::stop_token& stop) const {
        if (calls_.empty())
            return {{MachineSet{{}, 0, 0, {}}}};
        std::vector<std::vector<MachineSet>> bySize;
        std::vector<MachineSet> grown;
        for (std::size_t m = 0; m < machines_.size(); ++m)
            grown.push_back({{m}, machines_[m].dsp, loadOf({m}), machines_[m].logic});
        bySize.push_back(best(grown));
        for (std::size_t size = 2; size <= most && !stop.stop_requested(); ++size) {
            // Of one machine all are kept: the second may run what the first cannot.
            const std::vector<MachineSet> from = size == 2 ? grown : bySize.back();
            bySize.push_back(best(withOneMore(from, size == 2)));
        }
        return bySize;
    }

    /// The machine of each call; moved and swapped as long as that helps.
    std::vector<std::size_t> assigned(const MachineSet& set) const {
        std::vector<std::size_t> where = greedy(set.machines);
        while (improve(set.machines, where)) {
        }
        return where;
    }

    double longest(const std::vector<std::size_t>& machines,
                   const std::vector<std::size_t>& where) const {
        return std::ranges::max(loads(machines, where));
    }

private:
    void addEntry(int e) {
        const PoolProblem& pool = problem_.pool;
        Machine machine{e, 0, pool.entry(e).dsp, {}, {}, {}};
        bool serves = false;
        for (const std::size_t call : calls_) {
            const std::vector<ViaOption>& via = pool.via(e, call);
            const auto least = std::ranges::min_element(via, {}, &ViaOption::time);
            const bool can = least != via.end() && mayGo(call, 0);
            machine.times.push_back(can ? least->time : kInfinity);
            machine.options.push_back(can ? static_cast<int>(least - via.begin()) : -1);
            serves = serves || can;
        }
        add(std::move(machine), serves);
    }

    void addPrivate(std::size_t k) {
        const std::vector<PrivateOption>& options = problem_.pool.demand(calls_[k]).options;
        for (std::size_t o = 0; o < options.size(); ++o) {
            if (!mayGo(calls_[k], options[o].way))
                continue;
            Machine machine{-1, calls_[k], options[o].dsp, options[o].logic, {}, {}};
            machine.times.assign(calls_.size(), kInfinity);
            machine.options.assign(calls_.size(), -1);
            machine.times[k] = options[o].time;
            machine.options[k] = static_cast<int>(o);
            add(std::move(machine), true);
        }
    }

    bool mayGo(std::size_t call, int way) const {
        const Ways ways = problem_.pool.demand(call).ways;
        const bool needed = (ways & kOnMultipliers) == 0;
        return (ways & wayBit(way)) != 0 && (way == 0 || streams_ || needed);
    }

    bool hasRoom(double dsp, const device::Resources& logic) const {
        return dsp <= problem_.pool.dspLimit && logic.fits(problem_.pool.logicLimit);
    }

    void add(Machine machine, bool serves) {
        if (serves && hasRoom(machine.dsp, machine.logic) && machines_.size() < kMostMachines)
            machines_.push_back(std::move(machine));
    }

    std::vector<MachineSet> withOneMore(const std::vector<MachineSet>& sets, bool pairs) const {
        std::vector<MachineSet> grown;
        for (const MachineSet& set : sets)
            for (std::size_t m = pairs ? set.machines.front() + 1 : 0; m < machines_.size(); ++m) {
                const double dsp = set.dsp + machines_[m].dsp;
                device::Resources logic = set.logic;
                logic += machines_[m].logic;
                if (!hasRoom(dsp, logic) || !mayAdd(set, m))
                    continue;
                MachineSet next{set.machines, dsp, 0, logic};
                next.machines.push_back(m);
                next.load = loadOf(next.machines);
                if (next.load < kInfinity)
                    grown.push_back(std::move(next));
                if (grown.size() > kManySets)
                    grown = best(grown);
            }
        return grown;
    }

    bool mayAdd(const MachineSet& set, std::size_t m) const {
        return std::ranges::none_of(set.machines, [&](std::size_t other) {
            const Machine& a = machines_[other];
            const Machine& b = machines_[m];
            const bool sameClass = problem_.pool.onePerClass && a.entry >= 0 && b.entry >= 0 &&
                                   problem_.entry(a.entry).eclass == problem_.entry(b.entry).eclass;
            return other == m || sameClass ||
                   (a.entry < 0 && b.entry < 0 && a.call == b.call); // of one call
        });
    }

    /// Of each part of the limit those of the least load.
    std::vector<MachineSet> best(std::vector<MachineSet> sets) const {
        std::ranges::stable_sort(sets, [](const MachineSet& a, const MachineSet& b) {
            return std::pair(a.load, a.dsp) < std::pair(b.load, b.dsp);
        });
        std::map<std::size_t, std::size_t> kept; // by part
        std::vector<MachineSet> made;
        const double part = std::max(1.0, problem_.pool.dspLimit / kPartsOfLimit);
        for (MachineSet& set : sets)
            if (set.load < kInfinity && kept[static_cast<std::size_t>(set.dsp / part)]++ < kKept)
                made.push_back(std::move(set));
        return made;
    }

    double loadOf(const std::vector<std::size_t>& machines) const {
        std::array<double, kMostUnits> loads{};
        double most = 0;
        for (const std::size_t call : order_) {
            std::size_t chosen = 0;
            double end = kInfinity;
            for (std::size_t k = 0; k < machines.size(); ++k)
                if (const double then = loads[k] + machines_[machines[k]].times[call]; then < end) {
                    end = then;
                    chosen = k;
                }
            loads[chosen] = end;
            most = std::max(most, end);
        }
        return most;
    }

    /// By call, the position of a machine in the set.
    std::vector<std::size_t> greedy(const std::vector<std::size_t>& machines) const {
        std::vector<std::size_t> where(calls_.size(), 0);
        std::array<double, kMostUnits> loads{};
        for (const std::size_t call : order_) {
            double end = kInfinity;
            for (std::size_t k = 0; k < machines.size(); ++k)
                if (const double then = loads[k] + machines_[machines[k]].times[call]; then < end) {
                    end = then;
                    where[call] = k;
                }
            loads[where[call]] = end;
        }
        return where;
    }

    std::vector<double> loads(const std::vector<std::size_t>& machines,
                              const std::vector<std::size_t>& where) const {
        std::vector<double> loads(machines.size(), 0);
        for (std::size_t call = 0; call < where.size(); ++call)
            loads[where[call]] += machines_[machines[where[call]]].times[call];
        return loads;
    }

    /// The move, or the swap, of a call of the longest queue that makes it and the other shortest.
    bool improve(const std::vector<std::size_t>& machines, std::vector<std::size_t>& where) const {
        const std::vector<double> load = loads(machines, where);
        const auto from = static_cast<std::size_t>(std::ranges::max_element(load) - load.begin());
        const auto time = [&](std::size_t call, std::size_t k) {
            return machines_[machines[k]].times[call];
        };
        double least = load[from] * (1 - 1e-9);
        std::vector<std::size_t> best;
        for (std::size_t call = 0; call < where.size(); ++call) {
            if (where[call] != from)
                continue;
            for (std::size_t to = 0; to < machines.size(); ++to) {
                if (to == from || time(call, to) == kInfinity)
                    continue;
                const double left = load[from] - time(call, from);
                const double there = load[to] + time(call, to);
                const auto take = [&](double longest, std::optional<std::size_t> back) {
                    if (longest >= least)
                        return;
                    least = longest;
                    best = where;
                    best[call] = to;
                    if (back)
                        best[*back] = from;
                };
                take(std::max(left, there), {});
                for (std::size_t back = 0; back < where.size(); ++back)
                    if (where[back] == to && time(back, from) < kInfinity)
                        take(std::max(left + time(back, from), there - time(back, to)), back);
            }
        }
        if (best.empty())
            return false;
        where = std::move(best);
        return true;
    }

    static constexpr std::size_t kManySets = 20'000; ///< that are held at once
    const ExtractionProblem& problem_;
    std::vector<std::size_t> calls_; ///< of the program
    bool streams_ = false;
    std::vector<Machine> machines_;
    std::vector<std::size_t> order_; ///< of calls: the longest first
};

bool streams(const ExtractionProblem& problem, const PoolSolution& solution) {
    for (std::size_t c = 0; c < solution.calls.size(); ++c)
        if (problem.streamOf(solution, c) >= 0)
            return true;
    return false;
}

class Balancer {
public:
    Balancer(const ExtractionProblem& problem, bool streams, std::stop_token stop)
        : problem_(problem),
          stop_(std::move(stop)),
          products_(problem, callsOf([](const CallInfo& c) { return !c.pass && !c.lanewise(); }),
                    streams),
          lanes_(problem, callsOf([](const CallInfo& c) { return !c.pass && c.lanewise(); }),
                 streams) {}

    std::vector<PoolSolution> run() {
        for (std::size_t c = 0; c < problem_.calls.size(); ++c)
            if (problem_.calls[c].pass && fastestOption(c) < 0)
                return {}; // pins leave it no unit
        const auto products = products_.sets(kMostUnits, stop_);
        const auto lanes = lanes_.sets(2, stop_);
        std::vector<PoolSolution> found;
        double least = kInfinity;
        for (std::size_t units = 1; units <= products.size(); ++units) {
            const auto pair = bestPair(products[units - 1], lanes);
            if (!pair || pair->load >= least * (1 - kLeastGainOfAUnit))
                continue;
            PoolSolution solution = solutionOf(*pair);
            if (!meetsPins(solution) || !verify(problem_.pool, solution))
                continue;
            least = pair->load;
            found.insert(found.begin(), std::move(solution));
        }
        return found;
    }

private:
    struct Pair {
        MachineSet products, lanes;
        double load = kInfinity;
    };

    template <class Wanted>
    std::vector<std::size_t> callsOf(const Wanted& wanted) const {
        std::vector<std::size_t> calls;
        for (std::size_t c = 0; c < problem_.calls.size(); ++c)
            if (wanted(problem_.calls[c]))
                calls.push_back(c);
        return calls;
    }

    std::optional<Pair> bestPair(const std::vector<MachineSet>& products,
                                 const std::vector<std::vector<MachineSet>>& lanes) const {
        std::optional<Pair> best;
        for (const MachineSet& product : products)
            for (const std::vector<MachineSet>& ofSize : lanes)
                for (const MachineSet& lane : ofSize) {
                    const double load = std::max(product.load, lane.load);
                    device::Resources logic = product.logic;
                    logic += lane.logic;
                    if (product.dsp + lane.dsp <= problem_.pool.dspLimit &&
                        logic.fits(problem_.pool.logicLimit) && (!best || load < best->load))
                        best = Pair{product, lane, load};
                }
        return best;
    }

    PoolSolution solutionOf(const Pair& pair) const {
        PoolSolution solution;
        solution.calls.resize(problem_.calls.size());
        for (std::size_t c = 0; c < problem_.calls.size(); ++c)
            if (problem_.calls[c].pass)
                take(solution, c, {-1, fastestOption(c), 0});
        choose(solution, products_, pair.products);
        choose(solution, lanes_, pair.lanes);
        std::ranges::sort(solution.pool);
        for (const int entry : solution.pool)
            solution.dsp += problem_.entry(entry).dsp;
        return solution;
    }

    void choose(PoolSolution& solution, const Balance& balance, const MachineSet& set) const {
        if (set.machines.empty())
            return;
        const std::vector<std::size_t> where = balance.assigned(set);
        for (std::size_t k = 0; k < where.size(); ++k) {
            const Machine& machine = balance.machine(set.machines[where[k]]);
            take(solution, balance.calls()[k], {machine.entry, machine.options[k], 0});
            if (machine.entry >= 0 &&
                std::ranges::find(solution.pool, machine.entry) == solution.pool.end())
                solution.pool.push_back(machine.entry);
        }
    }

    int fastestOption(std::size_t call) const {
        const std::vector<PrivateOption>& options = problem_.pool.demand(call).options;
        int best = -1;
        for (std::size_t o = 0; o < options.size(); ++o)
            if (options[o].way == 0 &&
                (best < 0 || options[o].time < options[static_cast<std::size_t>(best)].time))
                best = static_cast<int>(o);
        return best;
    }

    void take(PoolSolution& solution, std::size_t call, CallChoice choice) const {
        const auto option = static_cast<std::size_t>(choice.option);
        if (choice.entry >= 0) {
            choice.time = problem_.pool.via(choice.entry, call)[option].time;
        } else {
            const PrivateOption& own = problem_.pool.demand(call).options[option];
            choice.time = own.time;
            solution.dsp += own.dsp;
        }
        solution.time += choice.time;
        solution.calls[call] = choice;
    }

    /// What a pin wants shared is.
    bool meetsPins(const PoolSolution& solution) const {
        return std::ranges::all_of(problem_.pool.mustShare, [&](int eclass) {
            const auto shares = [&](const CallChoice& choice) {
                return choice.entry >= 0 && problem_.entry(choice.entry).eclass == eclass;
            };
            return std::ranges::count_if(solution.calls, shares) >= 2;
        });
    }

    const ExtractionProblem& problem_;
    std::stop_token stop_;
    Balance products_, lanes_;
};

} // namespace

std::vector<PoolSolution> balancedSolutions(const ExtractionProblem& problem,
                                            std::stop_token stop) {
    std::vector<PoolSolution> found = Balancer(problem, false, stop).run();
    if (!problem.streams)
        return found;
    for (PoolSolution& solution : Balancer(problem, true, stop).run())
        if (streams(problem, solution))
            found.push_back(std::move(solution));
    return found;
}

} // namespace marquetry::extract
