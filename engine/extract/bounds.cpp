#include "engine/extract/bounds.h"

#include "engine/cost/call_timing.h"
#include "engine/extract/joins.h"
#include "engine/extract/pool_logic.h"
#include "engine/support/numbers.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <queue>

namespace marquetry::extract {

std::int64_t transferCycles(const rules::Lowered& lowered, std::int64_t frames) {
    const ir::Program& program = *lowered.program;
    std::int64_t cycles = 0;
    for (ir::ValueId input : program.inputs) {
        const ir::ValueId value = lowered.plan.storage[input.index()];
        const ir::Type& type = program.value(value).type;
        const rules::StoredExtent stored = rules::storedExtent(type);
        cycles += cost::loadCycles(frames * stored.pixels(), stored.channels,
                                   ir::info(type.scalar).bytes * 8);
    }
    for (const ir::Output& output : program.outputs) {
        const ir::ValueId value = lowered.plan.storage[output.value.index()];
        const ir::Type& type = program.value(value).type;
        const rules::StoredExtent stored = rules::storedExtent(type);
        cycles += cost::storeCycles(frames * stored.pixels(), stored.channels,
                                    ir::info(type.scalar).bytes * 8);
    }
    return cycles;
}

namespace {

/// Two joined calls take at least `atOnce[k]` together, k being the later one, and the first one
/// and `transfer` of its input as long as the longer of both. The greatest sum of what that saves.
double overlapOf(const std::vector<bool>& joinable, const std::vector<double>& cycles,
                 const std::vector<double>& atOnce, double transfer) {
    std::vector<std::int64_t> savings(cycles.size(), 0);
    for (std::size_t k = 0; k < cycles.size(); ++k) {
        if (!joinable[k])
            continue;
        const double apart = cycles[k] + (k > 0 ? cycles[k - 1] : transfer);
        const double together = k > 0 ? atOnce[k] : std::max(cycles[k], transfer);
        savings[k] = static_cast<std::int64_t>(std::ceil(std::max(0.0, apart - together)));
    }
    const std::vector<bool> joined = bestJoins(savings);
    double saved = 0;
    for (std::size_t k = 0; k < cycles.size(); ++k)
        saved += joined[k] ? static_cast<double>(savings[k]) : 0;
    return saved;
}

/// What a call takes at least; infinity where it has no such unit.
struct CallLeast {
    double onMultipliers = kInfinity; ///< its weights on the chip
    std::map<double, double> byDsp; ///< likewise, by DSP blocks of the unit: with more it is faster
    std::vector<std::pair<Ways, double>> streamed; ///< by way
    double bytes = 0;                              ///< of weights
};

/// Cycles in which both run on units that have so many DSP blocks together, at least.
double leastAtOnce(const CallLeast& a, const CallLeast& b, double dsp) {
    double least = kInfinity;
    for (const auto& [taken, time] : a.byDsp) {
        const auto beyond = b.byDsp.upper_bound(dsp - taken);
        if (beyond != b.byDsp.begin())
            least = std::min(least, std::max(time, std::prev(beyond)->second));
    }
    return least;
}

/// Bounds for sets of choices of ways: of the calls one by one, and what the pool search proved.
class WayBounds {
public:
    WayBounds(const ExtractionProblem& problem, const ExtractParams& params)
        : problem_(problem),
          transfer_(static_cast<double>(transferCycles(*problem.lowered, problem.frames))) {
        for (const device::RamShape& shape : params.device.ramShapes)
            capacity_ = std::max(capacity_, static_cast<double>(shape.width) *
                                                static_cast<double>(shape.depth) / 8.0);
        capacity_ *= params.limits.bram;
        for (std::size_t c = 0; c < problem.calls.size(); ++c)
            calls_.push_back(leastOf(c));
        atOnce_.resize(calls_.size(), kInfinity);
        for (std::size_t c = 1; c < problem.joinable.size(); ++c)
            if (problem.joinable[c])
                atOnce_[c] = leastAtOnce(calls_[c - 1], calls_[c], problem.pool.dspLimit);
        bytesPerCycle_ = params.device.memoryBytesPerCycle;
    }

    /// Of all choices in the sets; a set that decides is divided until one choice is left.
    double least(const std::vector<WaySet>& sets) {
        for (const WaySet& set : sets)
            push(set, 0);
        for (std::size_t divided = 0; !open_.empty(); ++divided) {
            const Open top = open_.top();
            const std::size_t demand = severalWays(top.set.ways);
            if (demand == top.set.ways.size() || divided == kMostDivided)
                return top.cycles;
            open_.pop();
            divide(top, demand);
        }
        return kInfinity;
    }

    /// Of calls that no second one can be, but for what joins save, and of what streams move;
    /// others run beside them.
    double inOneQueue() const {
        std::vector<double> cycles(calls_.size(), 0);
        double sum = 0;
        for (std::size_t c = 0; c < calls_.size(); ++c) {
            if (problem_.calls[c].pass || problem_.calls[c].lanewise())
                continue;
            double least = calls_[c].onMultipliers;
            for (const auto& [way, time] : calls_[c].streamed)
                least = std::min(least, time);
            cycles[c] = least < kInfinity ? least : 0;
            sum += cycles[c];
        }
        return std::max(transfer_, sum - overlapOf(problem_.joinable, cycles, atOnce_, 0));
    }

    /// Of groups of frames each unit may have a queue. A unit of D blocks is busy for D times as
    /// many block clocks, of which a run has as many as the limit for each of its own. A
    /// unit of rows is busy with all frames.
    double inQueuesOfUnits() const {
        double most = transfer_, blockClocks = 0;
        for (std::size_t c = 0; c < calls_.size(); ++c) {
            if (problem_.lowered->plan.layers[problem_.calls[c].layer].rows)
                most = std::max(most, static_cast<double>(problem_.calls[c].fixedCycles));
            if (problem_.calls[c].pass || problem_.calls[c].lanewise())
                continue;
            double fastest = kInfinity, least = kInfinity;
            for (const auto& [way, time] : calls_[c].streamed) {
                fastest = std::min(fastest, time);
                least = 0; // without blocks
            }
            for (const auto& [dsp, time] : calls_[c].byDsp) {
                fastest = std::min(fastest, time);
                least = std::min(least, dsp * time);
            }
            if (fastest == kInfinity)
                return kInfinity; // no unit within the limit computes it
            most = std::max(most, fastest);
            blockClocks += least;
        }
        const double blocks = problem_.pool.dspLimit;
        return blocks > 0 ? std::max(most, blockClocks / blocks) : most;
    }

private:
    /// Sets that are divided before the least bound of those that are left is the answer.
    static constexpr std::size_t kMostDivided = 4096;

    struct Open {
        WaySet set;
        double cycles = 0;

        bool operator<(const Open& other) const { return cycles > other.cycles; }
    };
    static void addUnit(CallLeast& least, double time, double dsp) {
        least.onMultipliers = std::min(least.onMultipliers, time);
        double& ofAsMany = least.byDsp.try_emplace(dsp, kInfinity).first->second;
        ofAsMany = std::min(ofAsMany, time);
    }

    /// Forgets what takes more blocks and no less time than another.
    static void keepFaster(std::map<double, double>& byDsp) {
        double fastest = kInfinity;
        std::erase_if(byDsp, [&](const auto& unit) {
            const bool slower = unit.second >= fastest;
            fastest = std::min(fastest, unit.second);
            return slower;
        });
    }

    CallLeast leastOf(std::size_t call) const {
        CallLeast least;
        const PoolProblem& pool = problem_.pool;
        for (const PrivateOption& option : pool.demand(call).options)
            if (option.way > 0)
                least.streamed.emplace_back(wayBit(option.way), option.time);
            else if (option.dsp <= pool.dspLimit)
                addUnit(least, option.time, option.dsp);
        for (int e = 0; e < static_cast<int>(pool.entries.size()); ++e)
            for (const ViaOption& option : pool.via(e, call))
                addUnit(least, option.time, pool.entry(e).dsp);
        keepFaster(least.byDsp);
        least.bytes = static_cast<double>(problem_.calls[call].weightElements) *
                      (problem_.calls[call].weightBits / 8.0);
        return least;
    }

    Ways ways(const WayChoice& ways, std::size_t call) const {
        return ways[static_cast<std::size_t>(problem_.pool.demandOf[call])];
    }

    bool mayUseMultipliers(const WayChoice& among, std::size_t call) const {
        return (ways(among, call) & kOnMultipliers) != 0 && calls_[call].onMultipliers < kInfinity;
    }

    /// By call: to the one before it. Both run at once, on units that fit side by side.
    std::vector<bool> joinable(const WayChoice& among) const {
        std::vector<bool> joinable = problem_.joinable;
        if (!joinable.empty())
            joinable[0] = joinable[0] && mayUseMultipliers(among, 0);
        for (std::size_t c = 1; c < joinable.size(); ++c)
            joinable[c] = joinable[c] && mayUseMultipliers(among, c - 1) &&
                          mayUseMultipliers(among, c) && atOnce_[c] < kInfinity;
        return joinable;
    }

    /// A streamed call has no weights to keep.
    double streamed(const WayChoice& among, std::size_t call) const {
        double least = kInfinity;
        for (const auto& [way, cycles] : calls_[call].streamed)
            if ((ways(among, call) & way) != 0)
                least = std::min(least, cycles);
        return least;
    }

    /// The calls run one after another but for overlaps, and while they do, the weights that
    /// block RAM cannot hold are read.
    double ofCalls(const WayChoice& among, const std::vector<bool>& joinable) const {
        double bound = transfer_;
        double bytes = 0;
        std::vector<double> slowest; // by call, of those the bound counts
        for (std::size_t c = 0; c < calls_.size(); ++c) {
            const CallLeast& call = calls_[c];
            double least = streamed(among, c);
            const bool hasNone = least < kInfinity;
            if (mayUseMultipliers(among, c))
                least = std::min(least, call.onMultipliers);
            bytes += hasNone ? 0 : call.bytes;
            bound += least;
            slowest.push_back(least);
        }
        if (bound == kInfinity)
            return kInfinity;
        const double read =
            bytesPerCycle_ > 0 ? std::max(0.0, bytes - capacity_) / bytesPerCycle_ : 0;
        return std::max(bound - overlapOf(joinable, slowest, atOnce_, transfer_), read);
    }

    /// Joined calls take less than the pool search knows, and it may not have seen every unit.
    void push(const WaySet& set, double atLeast) {
        if (!PoolLogic(problem_.pool, set.ways).feasible())
            return;
        const std::vector<bool> joins = joinable(set.ways);
        double cycles = std::max({transfer_, atLeast, ofCalls(set.ways, joins)});
        if (problem_.complete && std::ranges::find(joins, true) == joins.end())
            cycles = std::max(cycles, transfer_ + set.least);
        if (cycles < kInfinity)
            open_.push({set, cycles});
    }

    std::size_t severalWays(const WayChoice& among) const {
        const auto several = [](Ways ways) { return std::popcount(ways) > 1; };
        return static_cast<std::size_t>(std::ranges::find_if(among, several) - among.begin());
    }

    void divide(const Open& from, std::size_t demand) {
        WaySet part = from.set;
        for (Ways left = from.set.ways[demand]; left != 0; left &= left - 1) {
            part.ways[demand] = left & ~(left - 1);
            push(part, from.cycles);
        }
    }

    const ExtractionProblem& problem_;
    double transfer_ = 0;
    double capacity_ = 0;      ///< bytes of weights that block RAM could hold
    double bytesPerCycle_ = 0; ///< of external memory
    std::vector<CallLeast> calls_;
    std::vector<double> atOnce_; ///< by call: it and the one before it, on two units that fit
    std::priority_queue<Open> open_;
};

} // namespace

double cyclesLowerBound(const ExtractionProblem& problem, const PoolResult& result,
                        const ExtractParams& params) {
    if (params.model != design::CostModel::Cycles)
        return result.lowerBound;
    const double bound = WayBounds(problem, params).least(result.sets);
    return std::min(bound, std::numeric_limits<double>::max());
}

double queuesLowerBound(const ExtractionProblem& problem, const ExtractParams& params) {
    const WayBounds bounds(problem, params);
    return problem.frames > 1 ? bounds.inQueuesOfUnits() : bounds.inOneQueue();
}

} // namespace marquetry::extract
