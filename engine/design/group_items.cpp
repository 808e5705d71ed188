#include "engine/design/group_items.h"

#include "engine/design/cycle_model.h"
#include "engine/design/step_queues.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <variant>

namespace marquetry::design {

namespace {

/// Clocks of the steps that each unit runs in a group.
std::map<UnitId, std::int64_t> clocksOfUnits(const Schedule& group) {
    std::map<UnitId, std::int64_t> clocks;
    for (const Step& step : group.steps)
        if (const auto unit = unitTaken(step))
            clocks[*unit] += cyclesAlone(group, step);
    return clocks;
}

bool multiplies(const Schedule& group, UnitId unit) {
    return std::ranges::any_of(group.steps, [&](const Step& step) {
        const auto* call = std::get_if<ComputeStep>(&step);
        return call != nullptr && call->unit == unit && call->multiplies() &&
               !group.unit(unit).lanewise();
    });
}

/// A queue for each unit of products, of the others as many together as have less to do than half
/// of the one that has most; where there are too few queues, those that have least to do share one.
std::map<UnitId, Queue> queuesOfUnits(const Schedule& group) {
    constexpr std::size_t kMostBeside = kMostQueues - indexOf(Queue::Second);
    const std::map<UnitId, std::int64_t> clocks = clocksOfUnits(group);
    std::vector<UnitId> units;
    for (const auto& [unit, taken] : clocks)
        units.push_back(unit);
    std::ranges::stable_sort(units, std::ranges::greater{},
                             [&](UnitId unit) { return clocks.at(unit); });
    struct Taken {
        std::int64_t clocks = 0;
        bool products = false;
    };
    std::vector<Taken> queues;
    std::map<UnitId, Queue> made;
    for (const UnitId unit : units) {
        const std::int64_t own = clocks.at(unit);
        const bool products = multiplies(group, unit);
        const auto mayShare = [&](const Taken& queue) {
            return !products && !queue.products &&
                   queue.clocks + own <= clocks.at(units.front()) / 2;
        };
        auto queue = std::ranges::find_if(queues, mayShare);
        if (queue == queues.end() && queues.size() < kMostBeside)
            queue = queues.insert(queues.end(), Taken{});
        else if (queue == queues.end())
            queue = std::ranges::min_element(queues, {}, &Taken::clocks);
        queue->clocks += own;
        queue->products = queue->products || products;
        made.emplace(unit, queueBeside(static_cast<std::size_t>(queue - queues.begin())));
    }
    return made;
}

class GroupItemBuilder {
public:
    GroupItemBuilder(const Schedule& group, bool queueOfEach) : group_(group) {
        for (std::size_t s = 0; s < group.steps.size(); ++s)
            joins_ = joins_ || isJoined(group, s);
        if (queueOfEach && !joins_)
            queues_ = queuesOfUnits(group);
    }

    std::vector<GroupItem> run() {
        std::vector<GroupItem> items;
        for (std::size_t s = 0; s < group_.steps.size(); s += items.back().steps)
            items.push_back({s, isJoined(group_, s + 1) ? std::size_t{2} : 1, {}, {}});
        for (std::size_t k = 0; k < items.size(); ++k) {
            setForm(items[k]);
            for (std::size_t before = 0; before < k; ++before)
                if (comesBehind(items[k], items[before]))
                    items[k].after.push_back(before);
        }
        return items;
    }

private:
    void setForm(GroupItem& item) const {
        const Step& step = group_.steps[item.step];
        item.form.clocks = cyclesAlone(group_, step);
        item.form.queue = queueOf(step);
        if (item.steps == 1) {
            item.form.unit = unitTaken(step);
        } else {
            const auto& reader = std::get<ComputeStep>(group_.steps[item.step + 1]);
            item.form.clocks = *reader.joinedAfter + cyclesAlone(group_, reader);
        }
    }

    /// Without a queue for each unit, calls of units of products run one after another, and what
    /// their units hold, and functions of rows, among them.
    Queue queueOf(const Step& step) const {
        const std::optional<UnitId> unit = unitTaken(step);
        if (!unit)
            return Queue::Transfers;
        if (joins_ || !mayRunBeside(step))
            return Queue::Calls;
        if (!queues_.empty())
            return queues_.at(*unit);
        const auto* call = std::get_if<ComputeStep>(&step);
        return call != nullptr && isSecondary(group_, *call) ? Queue::Second : Queue::Calls;
    }

    template <class Visit>
    void eachStep(const GroupItem& item, const Visit& visit) const {
        for (std::size_t k = 0; k < item.steps; ++k)
            visit(group_.steps[item.step + k]);
    }

    /// It reads what the other writes, or writes where the other reads or writes, or both are loads
    /// or both stores: streams come in their order.
    bool comesBehind(const GroupItem& item, const GroupItem& before) const {
        bool behind = transferredBy(group_.steps[item.step]) != nullptr &&
                      group_.steps[item.step].index() == group_.steps[before.step].index();
        eachStep(item, [&](const Step& step) {
            eachStep(before, [&](const Step& earlier) {
                behind = behind || readsFrom(step, earlier) || writesOver(step, earlier) ||
                         sharesHeldWeights(step, earlier);
            });
        });
        return behind;
    }

    bool readsFrom(const Step& step, const Step& earlier) const {
        const auto target = targetOf(earlier);
        return target && std::ranges::any_of(sourcesOf(step), [&](TensorId source) {
                   return group_.tensor(source).value == group_.tensor(*target).value;
               });
    }

    bool writesOver(const Step& step, const Step& earlier) const {
        const auto target = targetOf(step);
        if (!target)
            return false;
        const auto isThere = [&](TensorId other) {
            return group_.tensor(other).slot == group_.tensor(*target).slot;
        };
        const auto written = targetOf(earlier);
        return (written && isThere(*written)) || std::ranges::any_of(sourcesOf(earlier), isThere);
    }

    /// Moves to the weights of a unit, and the calls that read them.
    static bool sharesHeldWeights(const Step& step, const Step& earlier) {
        return usesHeldWeights(step) && usesHeldWeights(earlier) &&
               unitTaken(step) == unitTaken(earlier);
    }

    const Schedule& group_;
    bool joins_ = false;             ///< the second sequencer is busy with calls that are joined
    std::map<UnitId, Queue> queues_; ///< empty: no unit has one of its own
};

} // namespace

const TensorId* transferredBy(const Step& step) {
    if (const auto* load = std::get_if<LoadStep>(&step))
        return &load->tensor;
    if (const auto* store = std::get_if<StoreStep>(&step))
        return &store->tensor;
    return nullptr;
}

bool usesHeldWeights(const Step& step) {
    const auto* call = std::get_if<ComputeStep>(&step);
    const auto* move = std::get_if<MoveStep>(&step);
    return call != nullptr ? call->held.has_value() : move != nullptr && !move->target;
}

std::vector<GroupItem> groupItems(const Schedule& group, bool queueOfEach) {
    return GroupItemBuilder(group, queueOfEach).run();
}

std::int64_t mostInAQueue(const std::vector<GroupItem>& items) {
    std::array<std::int64_t, kMostQueues> clocks{};
    for (const GroupItem& item : items) {
        clocks[indexOf(item.form.queue)] += item.form.clocks;
        clocks[indexOf(Queue::Calls)] += item.form.queue == Queue::Calls ? 0 : kHandOver;
    }
    return std::ranges::max(clocks);
}

} // namespace marquetry::design
