#include "engine/design/frame_groups.h"

#include "engine/design/band_order.h"
#include "engine/design/cycle_model.h"
#include "engine/design/group_items.h"
#include "engine/design/modulo_schedule.h"
#include "engine/design/step_name.h"
#include "engine/design/step_queues.h"
#include "engine/design/tensor_slots.h"
#include "engine/support/checked_math.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <variant>

namespace marquetry::design {

namespace {

/// Of groups that begin an interval behind one another: when the items of the first one begin.
struct GroupRound {
    std::vector<std::int64_t> begins;
    std::int64_t interval = 1;
};

class GroupWriter {
public:
    GroupWriter(const Schedule& group, FrameGroups groups)
        : group_(group), groups_(groups), items_(groupItems(group, groups.queueOfEach)) {
        made_.name = group.name;
        made_.lanes = group.lanes;
        made_.units = group.units;
        made_.memory = group.memory;
        made_.frames = group.frames * groups.number;
        made_.groups = groups.number;
        if (groups.queueOfEach && groups.sparing)
            setPlaces();
    }

    Schedule run() && {
        addPlaces();
        addSteps(order());
        return std::move(made_);
    }

    std::optional<std::int64_t> clocksOfRounds() const {
        const auto round = firstRounds();
        return round ? std::optional(round->interval) : std::nullopt;
    }

    Schedule runPlaced() && {
        addPlaces();
        std::vector<std::size_t> all(items_.size() * static_cast<std::size_t>(groups_.number));
        std::iota(all.begin(), all.end(), std::size_t{0});
        addSteps(all);
        return std::move(made_);
    }

private:
    SlotId add(Slot slot) {
        slot.id = SlotId{made_.slots.size()};
        slot.name = "slot" + std::to_string(slot.id.value());
        made_.slots.push_back(slot);
        return slot.id;
    }

    void addPlaces() {
        addSlots();
        for (std::int64_t g = 0; g < groups_.number; ++g)
            addTensors(g);
    }

    /// Rounds begin as close behind one another as they can with as many places as there may be. A
    /// place is needed until the last of those that read it has ended.
    void setPlaces() {
        const auto round = firstRounds();
        std::map<ir::ValueId, std::int64_t> needed;
        for (std::size_t k = 0; round && k < items_.size(); ++k) {
            const auto target = targetOf(group_.steps[items_[k].step]);
            if (!target)
                continue;
            std::int64_t& places = needed[group_.tensor(*target).value];
            eachReader(items_[k], [&](std::size_t reader, std::int64_t most) {
                const std::int64_t end =
                    round->begins[reader] + items_[reader].form.clocks + kHandOver;
                const auto rounds =
                    std::max<std::int64_t>(1, ceilDiv(end - round->begins[k], round->interval));
                const auto wanted =
                    static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(rounds)));
                places = std::max(places, std::min(wanted, most));
            });
        }
        placesOf_ = std::move(needed);
    }

    /// Groups that have a place for the value: of what is moved two at least, as one is moved while
    /// a call has another.
    std::int64_t placesOf(ir::ValueId value) const {
        const auto known = placesOf_.find(value);
        const std::int64_t places =
            known == placesOf_.end() || known->second == 0 ? groups_.atOnce : known->second;
        return isMoved(value) ? std::max<std::int64_t>(2, places) : places;
    }

    bool isMoved(ir::ValueId value) const {
        return std::ranges::any_of(group_.steps, [&](const Step& step) {
            const TensorId* moved = transferredBy(step);
            return moved != nullptr && group_.tensor(*moved).value == value;
        });
    }

    /// Rings for what is moved, and places, or copies of the slots, for anything else.
    void addSlots() {
        for (const Step& step : group_.steps)
            if (const TensorId* moved = transferredBy(step))
                if (const StoredTensor& tensor = group_.tensor(*moved);
                    !rings_.contains(tensor.value))
                    rings_.emplace(tensor.value, add(ringOf(tensor)));
        for (const StoredTensor& tensor : group_.tensors) {
            if (rings_.contains(tensor.value))
                continue;
            if (groups_.queueOfEach)
                addPlace(tensor);
            else if (!copies_.contains(tensor.slot))
                for (std::int64_t k = 0; k < groups_.atOnce; ++k)
                    copies_[tensor.slot].push_back(add(group_.slot(tensor.slot)));
        }
    }

    /// Behind those of other values that the same queues write and read.
    void addPlace(const StoredTensor& tensor) {
        if (places_.contains(tensor.value))
            return;
        SlotUse use{tensor.slot, {}, {}};
        for (const GroupItem& item : items_) {
            const Step& step = group_.steps[item.step];
            if (writes(step, tensor.value))
                use.writers.insert(item.form.queue);
            if (reads(step, tensor.value))
                use.readers.insert(item.form.queue);
        }
        const auto [known, fresh] = shared_.try_emplace(use);
        if (fresh) {
            Slot slot = group_.slot(tensor.slot);
            slot.depth = 0;
            known->second = add(slot);
        }
        Slot& slot = made_.slots[known->second.index()];
        places_.emplace(tensor.value, Place{slot.id, slot.depth});
        const std::int64_t words = placesOf(tensor.value) * group_.storedWords(tensor.id);
        slot.depth += ceilDiv(words, slot.turns) * slot.turns;
    }

    bool writes(const Step& step, ir::ValueId value) const {
        const auto target = targetOf(step);
        return target && group_.tensor(*target).value == value;
    }
    bool reads(const Step& step, ir::ValueId value) const {
        return std::ranges::any_of(
            sourcesOf(step), [&](TensorId source) { return group_.tensor(source).value == value; });
    }

    Slot ringOf(const StoredTensor& tensor) const {
        Slot ring = group_.slot(tensor.slot);
        ring.storedLanes = storedLanesFor(tensor.channels, group_.lanes);
        ring.writeLanes = std::min(ring.writeLanes, ring.storedLanes);
        ring.ring = true;
        if (std::ranges::none_of(group_.steps, [&](const Step& step) {
                return std::holds_alternative<ComputeStep>(step) && reads(step, tensor.value);
            }))
            ring.turns = 1; // a storer takes a word at a time
        // Of whole groups, so that groups find theirs in few places.
        const std::int64_t words = placesOf(tensor.value) * group_.storedWords(tensor.id);
        const bool whole = words % ring.turns == 0 && words >= 2 * ring.turns;
        ring.depth = whole ? words : ringDepth(words, ring.turns);
        return ring;
    }

    void addTensors(std::int64_t g) {
        for (StoredTensor tensor : group_.tensors) {
            tensor.id = TensorId{made_.tensors.size()};
            tensor.firstRow = g * group_.frames * tensor.height;
            const StoredTensor& whole = wholeOf(tensor);
            if (const auto ring = rings_.find(tensor.value); ring != rings_.end()) {
                tensor.slot = ring->second;
                tensor.base = g * group_.frames * whole.words() % made_.slot(tensor.slot).depth +
                              tensor.base - whole.base;
            } else if (groups_.queueOfEach) {
                const Place& place = places_.at(tensor.value);
                tensor.slot = place.slot;
                tensor.base = place.base +
                              g % placesOf(tensor.value) * group_.frames * whole.words() +
                              tensor.base - whole.base;
            } else {
                tensor.slot = copies_.at(tensor.slot)[static_cast<std::size_t>(g % groups_.atOnce)];
            }
            made_.tensors.push_back(std::move(tensor));
        }
    }

    /// The tensor itself, or what it is a part of: that comes before its parts.
    const StoredTensor& wholeOf(const StoredTensor& tensor) const {
        return *std::ranges::find(group_.tensors, tensor.value, &StoredTensor::value);
    }

    TensorId ofGroup(TensorId id, std::size_t g) const {
        return TensorId{g * group_.tensors.size() + id.index()};
    }

    /// The read ports of slots that an item takes, of the copies of its group.
    void setPorts(const GroupItem& item, std::size_t g, BandItem& form) const {
        for (std::size_t k = 0; k < item.steps; ++k)
            for (const TensorId source : sourcesOf(group_.steps[item.step + k]))
                form.ports.push_back(made_.tensor(ofGroup(source, g)).slot.index());
    }

    /// Each item makes a token, which those behind it read.
    std::vector<BandItem> forms(std::int64_t groups) const {
        std::vector<BandItem> all;
        for (std::size_t g = 0; g < static_cast<std::size_t>(groups); ++g)
            for (std::size_t k = 0; k < items_.size(); ++k) {
                const auto token = [&](std::size_t item) {
                    return TensorRows{g * items_.size() + item, {0, 1}};
                };
                BandItem form = items_[k].form;
                form.band = g;
                form.chain = k;
                form.makes = token(k);
                for (const std::size_t before : items_[k].after)
                    form.reads.push_back(token(before));
                awaitReaders(items_[k], g, form);
                setPorts(items_[k], g, form);
                all.push_back(std::move(form));
            }
        return all;
    }

    /// Of what the item writes: the items that read it, and how many groups have a place for it. A
    /// unit holds the weights of one.
    template <class Visit>
    void eachReader(const GroupItem& item, const Visit& visit) const {
        const Step& step = group_.steps[item.step];
        const auto target = targetOf(step);
        if (!target && std::holds_alternative<MoveStep>(step))
            eachCallOf(item, visit);
        if (!target || !groups_.queueOfEach)
            return;
        const ir::ValueId value = group_.tensor(*target).value;
        for (std::size_t k = 0; k < items_.size(); ++k)
            if (reads(group_.steps[items_[k].step], value))
                visit(k, placesOf(value));
    }

    /// That reads what the item moves to the weights of a unit.
    template <class Visit>
    void eachCallOf(const GroupItem& move, const Visit& visit) const {
        for (std::size_t k = 0; k < items_.size(); ++k) {
            const GroupItem& item = items_[k];
            const Step& step = group_.steps[item.step];
            if (item.step > move.step && usesHeldWeights(step) &&
                unitTaken(step) == unitTaken(group_.steps[move.step]))
                visit(k, 1);
        }
    }

    /// Of the group whose place for the value the item takes.
    void awaitReaders(const GroupItem& item, std::size_t g, BandItem& form) const {
        eachReader(item, [&](std::size_t reader, std::int64_t places) {
            if (const auto before = static_cast<std::size_t>(places); g >= before)
                form.reads.push_back({(g - before) * items_.size() + reader, {0, 1}});
        });
    }

    /// Groups at work behind the oldest one. Where each value has places, these are the limit.
    std::size_t ahead() const {
        return static_cast<std::size_t>(groups_.queueOfEach ? groups_.number : groups_.atOnce - 1);
    }

    /// Groups begin as far behind one another as is fastest for a few of them, of some intervals.
    std::int64_t bestInterval() const {
        if (groups_.number <= groups_.atOnce)
            return 0;
        constexpr std::array kPercent{100, 105, 112, 125, 0};
        const std::int64_t some = groups_.queueOfEach ? kFewGroups : 2 * groups_.atOnce + 1;
        const std::vector<BandItem> few = forms(std::min(some, groups_.number));
        std::int64_t best = 0, least = std::numeric_limits<std::int64_t>::max();
        for (const int percent : kPercent) {
            const std::int64_t interval = mostInAQueue(items_) * percent / 100;
            const std::int64_t clocks = orderBands(few, ahead(), interval).clocks;
            if (clocks < least)
                best = interval;
            least = std::min(least, clocks);
        }
        return best;
    }

    /// All groups in rounds that are alike, where that is about as fast: tables have a round once.
    std::vector<std::size_t> order() const {
        constexpr std::int64_t kRoundsMayLose = 3; // percent
        const std::vector<BandItem> all = forms(groups_.number);
        BandOrder free = orderBands(all, ahead(), bestInterval());
        std::optional<InRounds> rounds;
        if (groups_.queueOfEach && groups_.number > kFewGroups)
            rounds = bestRounds(all);
        const bool fast = rounds && 100 * rounds->clocks <= (100 + kRoundsMayLose) * free.clocks;
        return std::move(fast || (rounds && groups_.inRounds) ? rounds->items : free.items);
    }

    struct InRounds {
        std::vector<std::size_t> items;
        std::int64_t clocks = 0;
    };

    /// The fastest of some. With little patience groups are through soon, with much queues have
    /// fewer gaps.
    std::optional<InRounds> bestRounds(const std::vector<BandItem>& all) const {
        const std::vector<PeriodicStep> steps = periodicSteps();
        const std::int64_t least = mostInAQueue(items_);
        std::optional<InRounds> best;
        for (const int patience : kPatience)
            for (std::int64_t percent = 100; percent <= kMostPercent; ++percent) {
                const std::int64_t interval = ceilDiv(least * percent, 100);
                auto begins = moduloSchedule(steps, interval, interval * patience / 100);
                if (!begins)
                    continue;
                InRounds made{inRounds({*std::move(begins), interval}), 0};
                const auto clocks = clocksInOrder(all, made.items);
                made.clocks = clocks.value_or(std::numeric_limits<std::int64_t>::max());
                if (clocks && (!best || made.clocks < best->clocks))
                    best = std::move(made);
                break;
            }
        return best;
    }

    /// Those that begin the fewest clocks behind one another.
    std::optional<GroupRound> firstRounds() const {
        const std::vector<PeriodicStep> steps = periodicSteps();
        const std::int64_t least = mostInAQueue(items_);
        for (std::int64_t percent = 100; percent <= kMostPercent; ++percent)
            for (const int patience : kPatience) {
                const std::int64_t interval = ceilDiv(least * percent, 100);
                if (auto begins = moduloSchedule(steps, interval, interval * patience / 100))
                    return GroupRound{*std::move(begins), interval};
            }
        return std::nullopt;
    }

    std::vector<PeriodicStep> periodicSteps() const {
        std::vector<PeriodicStep> steps;
        for (const GroupItem& item : items_) {
            PeriodicStep step{
                indexOf(item.form.queue), item.form.clocks + kHandOver, item.after, {}, 1};
            eachReader(item, [&](std::size_t reader, std::int64_t places) {
                step.readers.push_back(reader);
                step.places = places;
            });
            steps.push_back(std::move(step));
        }
        return steps;
    }

    std::vector<std::size_t> inRounds(const GroupRound& round) const {
        std::vector<std::pair<std::int64_t, std::size_t>> times;
        for (std::int64_t g = 0; g < groups_.number; ++g)
            for (std::size_t k = 0; k < items_.size(); ++k)
                times.emplace_back(g * round.interval + round.begins[k],
                                   static_cast<std::size_t>(g) * items_.size() + k);
        std::ranges::sort(times);
        std::vector<std::size_t> order;
        for (const auto& [time, item] : times)
            order.push_back(item);
        return order;
    }

    void addSteps(const std::vector<std::size_t>& order) {
        for (const std::size_t next : order) {
            const GroupItem& item = items_[next % items_.size()];
            for (std::size_t k = 0; k < item.steps; ++k) {
                made_.steps.push_back(stepOf(group_.steps[item.step + k], next / items_.size()));
                made_.order.push_back({item.form.queue});
            }
        }
        awaitQueues(made_);
    }

    Step stepOf(Step step, std::size_t g) const {
        const auto move = [&](TensorId& id) { id = ofGroup(id, g); };
        if (auto* load = std::get_if<LoadStep>(&step)) {
            move(load->tensor);
        } else if (auto* store = std::get_if<StoreStep>(&step)) {
            move(store->tensor);
        } else if (auto* call = std::get_if<ComputeStep>(&step)) {
            move(call->input);
            move(call->output);
            if (call->held)
                move(*call->held);
            if (call->epilogue.addend)
                move(*call->epilogue.addend);
        } else if (auto* copy = std::get_if<MoveStep>(&step)) {
            move(copy->source);
            if (copy->target)
                move(*copy->target);
        } else if (auto* rows = std::get_if<RowStep>(&step)) {
            move(rows->input);
            move(rows->output);
            if (rows->other)
                move(*rows->other);
        }
        return step;
    }

    static constexpr std::int64_t kFewGroups = 8;          ///< that stand for many
    static constexpr std::array kPatience{0, 12, 33, 100}; ///< percent of the interval
    static constexpr std::int64_t kMostPercent = 150;      ///< of the fullest queue's clocks
    const Schedule& group_;
    FrameGroups groups_;
    std::vector<GroupItem> items_;
    Schedule made_;
    std::map<ir::ValueId, SlotId> rings_;          ///< of what is moved
    std::map<SlotId, std::vector<SlotId>> copies_; ///< of a slot of the group
    std::map<ir::ValueId, std::int64_t> placesOf_; ///< 0, or nothing: as many as groups at once

    /// Which slot of the group a value has, and the queues that write and read it.
    struct SlotUse {
        SlotId slot;
        std::set<Queue> writers, readers;
        auto operator<=>(const SlotUse&) const = default;
    };
    struct Place {
        SlotId slot;
        std::int64_t base = 0;
    };
    std::map<SlotUse, SlotId> shared_;
    std::map<ir::ValueId, Place> places_; ///< of a value in the first group
};

} // namespace

std::string whyOneGroup(const Schedule& group) {
    if (!group.externals.empty())
        return "activations in external memory are those of one group";
    for (const ScheduleUnit& unit : group.units)
        if ((unit.stream || unit.holds) && group.frames > 1)
            return "unit " + unit.name + " takes the frames of a run one by one";
    std::map<ir::ValueId, TensorId> moved;
    for (const Step& step : group.steps)
        if (const TensorId* id = transferredBy(step))
            moved.emplace(group.tensor(*id).value, *id);
    // It would go on at the beginning of its ring.
    const auto mayWrap = [&](const StoredTensor& tensor) {
        return moved.contains(tensor.value) && group.slot(tensor.slot).turns > 1;
    };
    for (const StoredTensor& tensor : group.tensors)
        if (mayWrap(tensor) && moved.at(tensor.value) != tensor.id)
            return tensor.name + " lies in parts";
    for (const Step& step : group.steps)
        if (const auto* rows = std::get_if<RowStep>(&step))
            for (const TensorId id : {rows->input, rows->output, rows->other.value_or(rows->input)})
                if (mayWrap(group.tensor(id)))
                    return nameOf(step) + " takes " + group.tensor(id).name + " as a whole";
    for (std::size_t s = 0; s < group.steps.size(); ++s)
        if (transferredBy(group.steps[s]) != nullptr && isJoined(group, s + 1))
            return "a call is joined to " + nameOf(group.steps[s]);
    return {};
}

std::int64_t leastClocks(const Schedule& group, bool queueOfEach) {
    return mostInAQueue(groupItems(group, queueOfEach));
}

std::optional<std::int64_t> clocksOfRounds(const Schedule& group, FrameGroups groups) {
    return GroupWriter(group, groups).clocksOfRounds();
}

Schedule placedInGroups(const Schedule& group, FrameGroups groups) {
    return GroupWriter(group, groups).runPlaced();
}

Schedule inGroups(const Schedule& group, FrameGroups groups) {
    return GroupWriter(group, groups).run();
}

} // namespace marquetry::design
