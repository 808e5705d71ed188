#include "engine/design/cycle_model.h"

#include "engine/cost/move_cost.h"
#include "engine/cost/stream_unit.h"
#include "engine/design/external_tensors.h"
#include "engine/design/row_step.h"
#include "engine/design/step_queues.h"
#include "engine/design/weight_traffic.h"
#include "engine/design/windows.h"

#include <algorithm>
#include <array>
#include <optional>

namespace marquetry::design {

namespace {

std::int64_t cyclesOf(const Schedule& schedule, const LoadStep& step) {
    const StoredTensor& tensor = schedule.tensor(step.tensor);
    return cost::loadCycles(schedule.storedPixels(step.tensor), tensor.channels,
                            8 * ir::info(tensor.scalar).bytes);
}

std::int64_t cyclesOf(const Schedule& schedule, const StoreStep& step) {
    const StoredTensor& tensor = schedule.tensor(step.tensor);
    return cost::storeCycles(schedule.storedPixels(step.tensor), tensor.channels,
                             8 * ir::info(tensor.scalar).bytes);
}

std::int64_t cyclesOf(const Schedule& schedule, const MoveStep& step) {
    return cost::moveCycles(schedule.framesAtOnce() * step.move.source.iterations());
}

std::int64_t cyclesOf(const Schedule& schedule, const RowStep& step) {
    return cost::rowCycles(rowShape(schedule, step));
}

std::int64_t cyclesOf(const Schedule& schedule, const ComputeStep& step) {
    const ScheduleUnit& unit = schedule.unit(step.unit);
    if (unit.stream)
        return cost::streamCycles(streamedPixels(schedule, step), unit.stream->interval,
                                  unit.stream->latency);
    return cost::computeCycles(callShape(schedule, step));
}

} // namespace

cost::CallShape callShape(const Schedule& schedule, const ComputeStep& step) {
    cost::CallShape shape;
    shape.rowBlocks = step.rowBlocks;
    shape.pixels = schedule.framesAtOnce() * step.height * step.width;
    const ScheduleUnit& unit = schedule.unit(step.unit);
    shape.pass = unit.pass;
    shape.lanewise = unit.lanewise();
    shape.reductionWords = unit.reduces() ? reductionWords(schedule, step) : 1;
    shape.lanes = unit.span * schedule.lanes;
    shape.scales = unit.writeBack.has_value();
    shape.groups = unit.groups(schedule.lanes);
    return shape;
}

std::int64_t cyclesAlone(const Schedule& schedule, const Step& step) {
    return std::visit([&](const auto& s) { return cyclesOf(schedule, s); }, step);
}

namespace {

/// What runs beside the calls.
class QueueReplay {
public:
    /// `waits`: for a memory that keeps to its figures.
    QueueReplay(const Schedule& schedule, bool waits)
        : schedule_(schedule), waits_(waits), transfer_(schedule), queues_(schedule.queues()) {
        if (schedule.memory)
            memory_.emplace(schedule);
    }

    CyclePrediction run() && {
        for (std::size_t s = 0; s < schedule_.steps.size(); ++s)
            add(s);
        if (waitsBeside_)
            made_.waitsFor.weights = memory_->clocksOfWaits();
        return std::move(*this).finished();
    }

    /// Queues have at least their steps' clocks left.
    std::int64_t runWithin(std::int64_t limit) && {
        std::array<std::int64_t, kMostQueues> left{};
        const auto clocksOf = [&](std::size_t s) {
            const auto* compute = std::get_if<ComputeStep>(&schedule_.steps[s]);
            const bool joined = compute != nullptr && compute->joinedAfter;
            return joined ? 0 : cyclesAlone(schedule_, schedule_.steps[s]);
        };
        for (std::size_t s = 0; s < schedule_.steps.size(); ++s)
            left[indexOf(schedule_.orderOf(s).queue)] += clocksOf(s);
        for (std::size_t s = 0; s < schedule_.steps.size(); ++s) {
            add(s);
            left[indexOf(schedule_.orderOf(s).queue)] -= clocksOf(s);
            if (made_.begins.back() + std::ranges::max(left) >= limit)
                return limit;
        }
        return std::move(*this).finished().total;
    }

private:
    CyclePrediction finished() && {
        if (!schedule_.order.empty() && schedule_.order.back().queue != Queue::Calls) {
            made_.steps.back() += kLastHandOver;
            made_.ends.back() += kLastHandOver;
            made_.total += kLastHandOver;
        }
        made_.waiting = made_.waitsFor.total();
        return std::move(made_);
    }

    void add(std::size_t index) {
        const Step& step = schedule_.steps[index];
        const StepOrder order = schedule_.orderOf(index);
        const auto* compute = std::get_if<ComputeStep>(&step);
        const bool joined = compute != nullptr && compute->joinedAfter;
        const std::int64_t turn = next_;
        for (std::size_t k = indexOf(Queue::Second); k < queues_; ++k)
            if (awaits(order, static_cast<Queue>(k)))
                await(ends_[k], lasts_[k]);
        if (awaits(order, Queue::Transfers))
            awaitTransfers();
        const std::int64_t begin = joined ? made_.begins.back() + *compute->joinedAfter : next_;
        const std::int64_t given = order.queue == Queue::Calls ? 0 : kHandOver;
        const std::int64_t waits = waits_ ? waitsOf(step, begin + given) : 0;
        const std::int64_t end = begin + given + cyclesAlone(schedule_, step) + waits;
        if (movesExternal(step))
            memory_->pause(begin, end);
        made_.turns.push_back(std::min(turn, begin));
        made_.awaited.push_back(joined ? index - 1 : last_);
        run(order.queue, index, {begin, end}, waits);
        made_.begins.push_back(begin);
        made_.ends.push_back(end);
        made_.waits.push_back(waits);
        made_.steps.push_back(std::max<std::int64_t>(end - made_.total, 0));
        made_.total = std::max(made_.total, end);
    }

    std::int64_t waitsOf(const Step& step, std::int64_t begin) {
        const auto* compute = std::get_if<ComputeStep>(&step);
        return compute != nullptr && compute->external ? memory_->waits(*compute, begin)
                                                       : transfer_.waits(step, begin);
    }

    struct Clocks {
        std::int64_t begin = 0, end = 0;
    };

    void run(Queue queue, std::size_t index, Clocks clocks, std::int64_t waits) {
        if (queue == Queue::Calls) {
            waitsOf(index) += waits;
            if (clocks.end >= next_)
                last_ = index;
            next_ = std::max(next_, clocks.end);
            return;
        }
        waitsBeside_ = waitsBeside_ || (waits > 0 && queue != Queue::Transfers);
        next_ = clocks.begin + kHandOver;
        last_ = index;
        ends_[indexOf(queue)] = clocks.end;
        lasts_[indexOf(queue)] = index;
        if (queue == Queue::Transfers)
            late_ = waits;
    }

    /// The next step begins no sooner than that one ends.
    void await(std::int64_t end, std::optional<std::size_t> step) {
        if (end > next_)
            last_ = step;
        next_ = std::max(next_, end);
    }

    /// Of the clocks until then, those that the transfer itself has waited for memory.
    void awaitTransfers() {
        constexpr std::size_t kTransfers = indexOf(Queue::Transfers);
        const std::int64_t ends = ends_[kTransfers];
        const std::int64_t waits = std::min(std::max<std::int64_t>(ends - next_, 0), late_);
        late_ -= waits;
        if (waits > 0)
            waitsOf(*lasts_[kTransfers]) += waits;
        await(ends, lasts_[kTransfers]);
    }

    /// What a step waits for when it waits for memory.
    std::int64_t& waitsOf(std::size_t index) {
        const Step& step = schedule_.steps[index];
        MemoryWaits& waits = made_.waitsFor;
        if (std::holds_alternative<ComputeStep>(step))
            return waits.weights;
        return std::holds_alternative<LoadStep>(step) ? waits.loads : waits.stores;
    }

    const Schedule& schedule_;
    bool waits_;
    std::optional<WeightReplay> memory_;
    TransferReplay transfer_;
    CyclePrediction made_;
    std::size_t queues_;
    std::int64_t next_ = 0;                        ///< when the next step of the list may begin
    std::array<std::int64_t, kMostQueues> ends_{}; ///< of what runs in each queue
    bool waitsBeside_ = false; ///< a call of another queue than the first one waits for weights
    std::int64_t late_ = 0;    ///< clocks in which the transfer waits
    std::optional<std::size_t> last_; ///< that let the next step begin at `next_`
    std::array<std::optional<std::size_t>, kMostQueues> lasts_; ///< that ran last in the queues
};

} // namespace

CyclePrediction predictCycles(const Schedule& schedule) {
    return QueueReplay(schedule, true).run();
}

std::int64_t cyclesWithin(const Schedule& schedule, std::int64_t limit) {
    return QueueReplay(schedule, true).runWithin(limit);
}

namespace {

/// Clocks of the run from a joined pair's begin to `until`, parted among the two.
void partPair(const CyclePrediction& prediction, std::size_t reader, std::int64_t until,
              std::vector<std::int64_t>& critical) {
    const std::size_t writer = reader - 1;
    const auto alone = [&](std::size_t s) { return prediction.ends[s] - prediction.begins[s]; };
    const std::int64_t parting = alone(reader) > alone(writer)
                                     ? prediction.begins[reader]
                                     : std::min(prediction.ends[writer], until);
    critical[writer] += parting - prediction.begins[writer];
    critical[reader] += until - parting;
}

} // namespace

std::vector<std::int64_t> criticalClocks(const Schedule& schedule,
                                         const CyclePrediction& prediction) {
    std::vector<std::int64_t> critical(prediction.begins.size(), 0);
    if (critical.empty())
        return critical;
    auto step = static_cast<std::size_t>(std::ranges::max_element(prediction.ends) -
                                         prediction.ends.begin());
    std::int64_t until = prediction.total;
    for (std::optional<std::size_t> next = step; next; next = prediction.awaited[step]) {
        step = *next;
        const auto* compute = std::get_if<ComputeStep>(&schedule.steps[step]);
        if (compute != nullptr && compute->joinedAfter) {
            partPair(prediction, step, until, critical);
            --step; // of the pair, what the first one awaited
        } else {
            critical[step] += until - prediction.begins[step];
        }
        until = prediction.begins[step];
    }
    return critical;
}

std::int64_t cyclesWithoutWaits(const Schedule& schedule) {
    return QueueReplay(schedule, false).run().total;
}

std::int64_t cyclesOfCalls(const Schedule& schedule) {
    std::int64_t cycles = 0, before = 0;
    for (std::size_t s = 0; s < schedule.steps.size(); ++s) {
        if (schedule.orderOf(s).queue != Queue::Calls)
            continue;
        const auto* compute = std::get_if<ComputeStep>(&schedule.steps[s]);
        const std::int64_t alone = cyclesAlone(schedule, schedule.steps[s]);
        const bool joined = compute != nullptr && compute->joinedAfter;
        cycles += joined ? std::max<std::int64_t>(alone - before, 0) : alone;
        before = alone;
    }
    return cycles;
}

} // namespace marquetry::design
