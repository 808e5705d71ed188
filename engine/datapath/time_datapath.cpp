#include "engine/datapath/time_datapath.h"

#include "engine/datapath/cell_value.h"
#include "engine/datapath/path_delay.h"
#include "engine/datapath/place_stores.h"
#include "engine/datapath/word_uses.h"
#include "engine/datapath/word_widths.h"
#include "engine/device/lut6.h"
#include "engine/milp/solve.h"
#include "engine/spacetime/area_table.h"
#include "engine/support/assert.h"
#include "engine/support/checked_math.h"
#include "engine/support/limits.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace marquetry::datapath {

namespace {

constexpr int kRounds = 200;
constexpr double kFar = static_cast<double>(kMaxWaitedSteps);
/// From the step in which a word is stored in a FIFO to the one in which it is there again.
constexpr std::int64_t kFifoSteps = 2;

class Timing {
public:
    Timing(const Datapath& datapath, std::stop_token stop, Deadline deadline, double pathLimit)
        : cells_(datapath.cells),
          datapath_(datapath),
          stop_(std::move(stop)),
          deadline_(deadline),
          pathLimit_(pathLimit),
          clusters_(usesOf(datapath)) {}

    Result<TimedDatapath> run() && {
        for (int round = 0; round < kRounds; ++round) {
            if (secondsLeft() == 0)
                return result(false);
            milp::SolveParams params;
            params.seconds = secondsLeft();
            const auto solved = milp::solve(programme(), params, stop_);
            if (stop_.stop_requested())
                return makeError("cancelled", "the timing of a datapath was stopped");
            if (!solved)
                return solved.error();
            const bool ended = solved->outcome == milp::SolveStatus::Feasible ||
                               solved->outcome == milp::SolveStatus::Limit;
            if (ended && !at_.empty())
                return result(false);
            if (solved->outcome != milp::SolveStatus::Optimal) {
                if (!relax())
                    return whyImpossible();
                continue;
            }
            read(solved->values);
            if (!addSlowPaths() || relaxed_)
                return result(true);
        }
        return result(true);
    }

private:
    Diagnostic whyImpossible() const {
        const std::int64_t wait = longestWait(datapath_);
        if (wait > kMaxWaitedSteps)
            return tooLarge("a word of the circuit waits", wait, kMaxWaitedSteps, "steps",
                            "no device stores so many; a shorter shift or selection waits less");
        return makeError("no-timing", "a loop of the circuit has no time in it",
                         "a lower throughput gives it more");
    }

    /// For the next programme; the first takes what it takes.
    double secondsLeft() const {
        if (at_.empty() || deadline_ == kNoDeadline)
            return milp::kInfinity;
        const auto now = Deadline::clock::now();
        return now < deadline_ ? std::chrono::duration<double>(deadline_ - now).count() : 0;
    }

    /// A loop takes as long as it takes: first the limit for paths is given up, as far as it was
    /// not met, then the registers of products. False when neither is left.
    bool relax() {
        if (slow_.size() > metSlow_) {
            slow_.resize(metSlow_);
            relaxed_ = true;
            return true;
        }
        const bool could = pipelined_;
        pipelined_ = false;
        return could;
    }

    std::int64_t stagesOf(std::size_t u) const { return pipelined_ ? ownStages(cells_[u]) : 0; }

    std::int64_t strideOf(std::size_t u) const { return cells_[u].used.stride; }

    milp::Model programme() {
        milp::Model model;
        times_.clear();
        starts_.assign(cells_.size(), {});
        for (std::size_t v = 0; v <= cells_.size(); ++v) {
            const bool last = v == cells_.size();
            const bool fixed = !last && cells_[v].kind == CellKind::Input;
            // A step of latency costs a register of the output's valid bit.
            // No word starts before the first step: it would not be there in the first frame.
            times_.push_back(model.addContinuous(0, fixed ? 0 : kFar, last ? 1 : 0));
        }
        for (std::size_t u = 0; u < cells_.size(); ++u)
            addLine(model, u);
        for (const Slow& slow : slow_)
            model.addAtLeast(termsOf(slow), slow.least);
        return model;
    }

    /// The registers of a cell. The memory to a cluster that no cluster is before may start
    /// anywhere; others are as far apart as the distances say, so that equal ones can share a
    /// memory.
    void addLine(milp::Model& model, std::size_t u) {
        if (cells_[u].kind == CellKind::Store)
            return addFifo(model, u);
        const double weight =
            static_cast<double>(cells_[u].bits()) / static_cast<double>(strideOf(u));
        const auto& clusters = clusters_[u];
        for (std::size_t c = 0; c < clusters.size(); ++c) {
            const bool alone = c == 1 && clusters[0].uses.empty();
            const auto start = static_cast<double>(clusters[c].start);
            const bool moves = alone || (c > 1 && clusters[0].uses.empty());
            // The start of a memory's output, as a number or as one and the first memory's.
            if (alone)
                starts_[u] = model.addContinuous(leastStart(u), kFar, -weight);
            const auto offset = [&](std::vector<milp::LinearTerm>& terms, double sign) {
                if (moves)
                    terms.push_back({*starts_[u], sign});
                return moves ? start - static_cast<double>(clusters[1].start) : start;
            };
            const auto end = model.addContinuous(0, kFar, weight);
            if (moves && !alone)
                model.setCost(*starts_[u], model.variables()[starts_[u]->index()].cost - weight);
            for (const WordUse& use : clusters[c].uses)
                addWait(model, u, use, c, end, offset);
        }
    }

    /// The stage at which the word of a cell is there first: behind the register of block RAM.
    std::int64_t readStage(std::size_t u) const {
        return pipelined_ && cells_[u].isBlockRom() ? 1 : 0;
    }

    /// Of the output of a memory that is behind a cell.
    double leastStart(std::size_t u) const {
        return static_cast<double>((2 + readStage(u)) * strideOf(u));
    }

    /// What is stored at the end of a step can be asked for in the next, and is there behind that.
    void addFifo(milp::Model& model, std::size_t u) {
        for (const UseCluster& cluster : clusters_[u]) {
            for (const WordUse& use : cluster.uses)
                model.addAtLeast({{times_[use.user], 1}, {times_[u], -1}},
                                 static_cast<double>(kFifoSteps - use.distance));
        }
    }

    template <class Offset>
    void addWait(milp::Model& model, std::size_t u, const WordUse& use, std::size_t cluster,
                 milp::VariableId end, const Offset& offset) {
        const auto distance = static_cast<double>(use.distance);
        std::vector<milp::LinearTerm> wait = {{times_[use.user], 1}, {times_[u], -1}};
        if (use.user == u)
            wait.clear();
        std::vector<milp::LinearTerm> least = wait;
        // A product has its registers behind it, the output one.
        const std::int64_t stages =
            std::max<std::int64_t>(stagesOf(u), use.user == cells_.size() ? 1 : 0);
        const double from = cluster == 0 ? static_cast<double>(stages) : offset(least, -1);
        if (!least.empty())
            model.addAtLeast(least, from - distance);
        if (cells_[u].periodic)
            model.addAtLeast({{times_[u], 1}}, distance);
        std::vector<milp::LinearTerm> most = {{end, 1}};
        for (const milp::LinearTerm& term : wait)
            most.push_back({term.variable, -term.coefficient});
        model.addAtLeast(most, distance);
    }

    void read(const std::vector<double>& values) {
        at_.clear();
        for (const milp::VariableId time : times_)
            at_.push_back(std::llround(values[time.index()]));
        lines_.assign(cells_.size(), {});
        for (std::size_t u = 0; u < cells_.size(); ++u) {
            const std::int64_t first = starts_[u] ? std::llround(values[starts_[u]->index()]) : 0;
            lines_[u] = lineOf(u, first);
        }
    }

    /// Step at which the memory to a cluster ends.
    std::int64_t startOf(std::size_t u, std::size_t cluster, std::int64_t first) const {
        const auto& clusters = clusters_[u];
        if (cluster == 0)
            return 0;
        return clusters[0].uses.empty() ? first + clusters[cluster].start - clusters[1].start
                                        : clusters[cluster].start;
    }

    /// A use may wait longer than its cluster foresaw, until behind the memory to a later one: it
    /// takes its word from there, so that no two parts have a stage in common.
    DelayLine lineOf(std::size_t u, std::int64_t first) const {
        DelayLine line;
        if (cells_[u].kind == CellKind::Store)
            return line;
        const auto& clusters = clusters_[u];
        std::vector<std::int64_t> starts;
        for (std::size_t c = 0; c < clusters.size(); ++c) {
            starts.push_back(ceilDiv(startOf(u, c, first), strideOf(u)));
            if (c > 0)
                line.memories.push_back({c == 1 ? readStage(u) : starts[c - 1], starts[c]});
        }
        std::vector<std::int64_t> ends = starts;
        if (!ends.empty())
            ends[0] = readStage(u);
        for (const UseCluster& cluster : clusters) {
            for (const WordUse& use : cluster.uses) {
                const std::int64_t stage =
                    ceilDiv(at_[use.user] + use.distance - at_[u], strideOf(u));
                const auto c = std::ranges::upper_bound(starts, stage) - starts.begin() - 1;
                std::int64_t& end = ends[static_cast<std::size_t>(c)];
                end = std::max(end, stage);
            }
        }
        for (std::size_t c = 0; c < starts.size(); ++c) {
            ENGINE_ASSERT(c + 1 == starts.size() || ends[c] < starts[c + 1],
                          "a delay line has each stage once");
            if (ends[c] > starts[c])
                line.registers.push_back({starts[c], ends[c]});
        }
        return line;
    }

    /// A path of too much delay: at least `least` = 1 + … steps from one word to a cell.
    struct Slow {
        std::size_t from = 0;
        std::size_t to = 0;
        bool fromMemory = false; ///< counted from the output of a memory that moves
        double least = 0;
        auto operator<=>(const Slow&) const = default;
    };

    std::vector<milp::LinearTerm> termsOf(const Slow& slow) const {
        std::vector<milp::LinearTerm> terms = {{times_[slow.to], 1}, {times_[slow.from], -1}};
        if (slow.fromMemory)
            terms.push_back({*starts_[slow.from], -1});
        return terms;
    }

    /// How a word comes to a cell, the latest of its operands.
    struct Arrival {
        double at = 0; ///< ps, behind the cell
        double before = 0;
        std::optional<Tap> through{};
        bool direct = false; ///< from a cell, not a register
    };

    /// Has one user of its whole word.
    bool isAlone(CellId cell) const {
        const auto& clusters = clusters_[cell.index()];
        return clusters.size() == 1 && clusters[0].uses.size() == 1;
    }

    bool isDirect(const Tap& tap, std::size_t v) const {
        return !isGenerator(cells_[tap.cell.index()].kind) && waitOf(tap, v) == 0;
    }

    /// The words that one bit of an operand of `v` is made of, through what is chosen in the same
    /// step: each with the step it is from.
    void collectInputs(const Tap& viewed, std::size_t v, std::set<Tap>& inputs,
                       std::int64_t later) const {
        const Tap tap = datapath_.source(viewed);
        const Cell& cell = cells_[tap.cell.index()];
        if (cell.kind != CellKind::Choose || !isDirect(tap, v)) {
            inputs.insert({tap.cell, tap.distance + later});
            return;
        }
        for (const Tap& operand : cell.operands)
            collectInputs(operand, tap.cell.index(), inputs, later + tap.distance);
    }

    /// Whether a bit of the three operands of `v` and of the sum `u`, its operand, fits one LUT:
    /// the adder that takes three to two has it in two functions.
    bool fitsOneLut(std::size_t v, std::size_t u) const {
        std::set<Tap> inputs;
        for (const std::size_t sum : {v, u}) {
            for (const Tap& tap : cells_[sum].operands) {
                if (sum == u || datapath_.source(tap).cell.index() != u)
                    collectInputs(tap, sum, inputs, 0);
            }
        }
        return std::ssize(inputs) <= device::kLutInputs;
    }

    /// The latest operand that is a sum for this cell alone and shares its chain with none.
    int sharedOperand(std::size_t v) const {
        if (!isSum(cells_[v].kind))
            return -1;
        int shared = -1;
        for (std::size_t k = 0; k < 2; ++k) {
            const Tap& tap = cells_[v].operands[k];
            const std::size_t u = tap.cell.index();
            const bool fits = isSum(cells_[u].kind) && isDirect(tap, v) && isAlone(tap.cell) &&
                              shared_[u] < 0 && fitsOneLut(v, u);
            const auto before = [&](int n) {
                return arrivals_[cells_[v].operands[static_cast<std::size_t>(n)].cell.index()].at;
            };
            if (fits && (shared < 0 || before(static_cast<int>(k)) > before(shared)))
                shared = static_cast<int>(k);
        }
        return shared;
    }

    Chain chainOf(std::size_t v, std::size_t operand) const {
        return shared_[v] < 0                            ? Chain::Own
               : shared_[v] == static_cast<int>(operand) ? Chain::Shared
                                                         : Chain::Beside;
    }

    double delayThrough(std::size_t v, const Cell* before, Chain chain) const {
        const bool inLuts = !pipelined_ && cells_[v].isBlockRom();
        return inLuts ? tableDelay(cells_[v]) : cellDelay(cells_[v], before, chain);
    }

    const Arrival& arrivalOf(std::size_t v) {
        Arrival& arrival = arrivals_[v];
        if (arrival.at >= 0)
            return arrival;
        arrival.at = 0;
        const auto& operands = v < cells_.size() ? cells_[v].operands : datapath_.outputs;
        for (const Tap& viewed : operands) {
            const Tap tap = datapath_.source(viewed);
            if (isDirect(tap, v))
                arrivalOf(tap.cell.index());
        }
        if (v < cells_.size())
            shared_[v] = sharedOperand(v);
        Arrival latest;
        for (std::size_t k = 0; k < operands.size(); ++k) {
            const Tap tap = datapath_.source(operands[k]);
            const Cell& source = cells_[tap.cell.index()];
            const bool direct = isDirect(tap, v);
            const double before = isGenerator(source.kind) ? generatorDelay(source)
                                  : direct                 ? arrivals_[tap.cell.index()].at
                                                           : registerDelay(tap, v);
            const double own =
                v < cells_.size() ? delayThrough(v, direct ? &source : nullptr, chainOf(v, k)) : 0;
            if (before + own > latest.at || !latest.through)
                latest = {before + own, before, tap, direct};
        }
        arrivals_[v] = latest;
        return arrivals_[v];
    }

    std::int64_t waitOf(const Tap& tap, std::size_t v) const {
        return at_[v] + tap.distance - at_[tap.cell.index()];
    }

    /// The cluster whose memory ends where an operand of `v` is; 0: none.
    std::size_t memoryOf(const Tap& tap, std::size_t v) const {
        const std::size_t u = tap.cell.index();
        const auto& memories = lines_[u].memories;
        const std::int64_t stage = ceilDiv(waitOf(tap, v), strideOf(u));
        const auto memory = std::ranges::find(memories, stage, &DelayLine::Part::to);
        return memory == memories.end() ? 0
                                        : static_cast<std::size_t>(memory - memories.begin()) + 1;
    }

    double registerDelay(const Tap& tap, std::size_t v) const {
        const std::size_t u = tap.cell.index();
        const std::int64_t stage = ceilDiv(waitOf(tap, v), strideOf(u));
        if (memoryOf(tap, v) > 0 || cells_[u].kind == CellKind::Store ||
            (stage == 1 && cells_[u].isBlockRom()))
            return kMemoryDelay;
        const bool shifts = std::ranges::any_of(lines_[u].registers, [&](const auto& run) {
            return run.from + device::kLeastShift <= stage && stage <= run.to;
        });
        return shifts ? kShiftRegisterDelay : kRegisterDelay;
    }

    /// Into the memory that starts at the cell itself.
    double setupOf(std::size_t v) const {
        if (v == cells_.size())
            return 0;
        const bool stored = cells_[v].kind == CellKind::Store ||
                            (!lines_[v].memories.empty() && lines_[v].memories[0].from == 0);
        return stored ? kMemorySetup : 0;
    }

    /// Adds constraints for paths that end at a cell that is the first to be too late; false when
    /// there is none.
    bool addSlowPaths() {
        arrivals_.assign(cells_.size() + 1, {-1});
        shared_.assign(cells_.size(), -1);
        std::set<Slow> found;
        slowest_ = 0;
        for (std::size_t v = 0; v <= cells_.size(); ++v) {
            const Arrival& arrival = arrivalOf(v);
            const double end = arrival.at + setupOf(v);
            slowest_ = std::max(slowest_, end);
            if (end > pathLimit_ && (arrival.before <= pathLimit_ || !arrival.direct))
                found.insert(slowPath(v));
        }
        const std::size_t before = slow_.size();
        metSlow_ = before;
        for (const Slow& slow : found) {
            if (std::ranges::find(slow_, slow) == slow_.end())
                slow_.push_back(slow);
        }
        return slow_.size() > before;
    }

    /// Back from a late cell until what lies between is too much for one step.
    Slow slowPath(std::size_t end) {
        double delay = setupOf(end);
        std::int64_t distance = 0;
        for (std::size_t v = end;;) {
            const Arrival& arrival = arrivals_[v];
            delay += arrival.at - arrival.before;
            if (!arrival.through || (v != end && delay + kRegisterDelay > pathLimit_))
                return {v, end, false, static_cast<double>(1 - distance)};
            const Tap tap = *arrival.through;
            const std::size_t u = tap.cell.index();
            if (!arrival.direct) {
                // What comes from elsewhere comes no earlier; from a memory a register helps.
                const bool isMemory = !isGenerator(cells_[u].kind) && memoryOf(tap, v) > 0;
                if (!isMemory)
                    return {v, end, false, static_cast<double>(v == end ? 0 : 1 - distance)};
                const bool moves = clusters_[u][0].uses.empty();
                const std::int64_t start = startOf(u, memoryOf(tap, v), 0);
                return {u, end, moves, static_cast<double>(1 + start - distance - tap.distance)};
            }
            distance += tap.distance;
            v = u;
        }
    }

    Result<TimedDatapath> result(bool complete) {
        TimedDatapath timed{datapath_,  {},       lines_,   shared_,
                            at_.back(), slowest_, complete, pipelined_};
        timed.times.assign(at_.begin(), at_.end() - 1);
        widenShared(timed.datapath.cells);
        return timed;
    }

    /// A sum shares a carry chain where nothing but that chain sees its sign: it has all bits of
    /// the other. No register holds them.
    void widenShared(std::vector<Cell>& cells) const {
        for (std::size_t v = 0; v < cells.size(); ++v) {
            if (shared_[v] < 0)
                continue;
            const Tap& tap = cells[v].operands[static_cast<std::size_t>(shared_[v])];
            Cell& sum = cells[tap.cell.index()];
            if (sum.isSigned && sum.bits() < cells[v].bits())
                sum.most = mask(std::min(sum.width, cells[v].bits()));
        }
    }

    const std::vector<Cell>& cells_;
    const Datapath& datapath_;
    std::stop_token stop_;
    Deadline deadline_;
    double pathLimit_;                                    ///< ps
    const std::vector<std::vector<UseCluster>> clusters_; ///< of each cell
    std::vector<milp::VariableId> times_;                 ///< of each cell, then the output
    std::vector<std::optional<milp::VariableId>> starts_;
    std::vector<Slow> slow_;
    std::size_t metSlow_ = 0; ///< constraints of `slow_` known to be possible
    bool relaxed_ = false;
    bool pipelined_ = true;
    std::vector<std::int64_t> at_;
    std::vector<DelayLine> lines_;
    std::vector<Arrival> arrivals_;
    std::vector<int> shared_;
    double slowest_ = 0;
};

} // namespace

std::int64_t TimedDatapath::waitOf(const Tap& tap, std::int64_t time) const {
    return time + tap.distance - times[tap.cell.index()];
}

std::int64_t TimedDatapath::stageOf(const Tap& tap, std::int64_t time) const {
    return ceilDiv(waitOf(tap, time), datapath.cells[tap.cell.index()].used.stride);
}

std::int64_t productStages(const Cell& cell) {
    if (cell.kind != CellKind::Mul)
        return 0;
    return std::ranges::find_if(
               spacetime::kProductAreas,
               [&](const spacetime::ProductArea& p) { return cell.operandBits <= p.bits; })
        ->delay;
}

std::int64_t ownStages(const Cell& cell) {
    return cell.isBlockRom() ? 1 : productStages(cell);
}

Result<TimedDatapath> timeDatapath(Datapath datapath, std::stop_token stop, Deadline deadline,
                                   double pathLimit) {
    fitWidths(datapath);
    placeStores(datapath, stop);
    return Timing(datapath, std::move(stop), deadline, pathLimit).run();
}

} // namespace marquetry::datapath
