#include "engine/design/frame_groups.h"

#include "engine/design/band_order.h"
#include "engine/design/cycle_model.h"
#include "engine/design/step_name.h"
#include "engine/design/step_queues.h"
#include "engine/design/tensor_slots.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <optional>
#include <variant>

namespace marquetry::design {

namespace {

/// What a load or a store moves; null of other steps.
const TensorId* transferred(const Step& step) {
    if (const auto* load = std::get_if<LoadStep>(&step))
        return &load->tensor;
    if (const auto* store = std::get_if<StoreStep>(&step))
        return &store->tensor;
    return nullptr;
}

/// Of one group: what begins at once, which is a step or two that are joined.
struct GroupItem {
    std::size_t step = 0;
    std::size_t steps = 1;
    std::vector<std::size_t> after; ///< items that end before it begins
    BandItem form;                  ///< but for the group
};

/// The items of a group, and what each of them awaits.
class GroupItems {
public:
    explicit GroupItems(const Schedule& group) : group_(group) {
        for (std::size_t s = 0; s < group.steps.size(); ++s)
            joins_ = joins_ || isJoined(group, s);
        for (std::size_t s = 0; s < group.steps.size(); s += items_.back().steps)
            items_.push_back({s, isJoined(group, s + 1) ? std::size_t{2} : 1, {}, {}});
        for (std::size_t k = 0; k < items_.size(); ++k) {
            setForm(items_[k]);
            for (std::size_t before = 0; before < k; ++before)
                if (comesBehind(items_[k], items_[before]))
                    items_[k].after.push_back(before);
        }
    }

    std::vector<GroupItem> take() && { return std::move(items_); }

private:
    void setForm(GroupItem& item) const {
        const Step& step = group_.steps[item.step];
        const auto* call = std::get_if<ComputeStep>(&step);
        item.form.clocks = cyclesAlone(group_, step);
        if (transferred(step) != nullptr)
            item.form.queue = Queue::Transfers;
        else if (!joins_ && call != nullptr && mayRunSecond(group_, *call))
            item.form.queue = Queue::Second;
        if (item.steps == 1) {
            item.form.unit = unitOfStep(step);
        } else {
            const auto& reader = std::get<ComputeStep>(group_.steps[item.step + 1]);
            item.form.clocks = *reader.joinedAfter + cyclesAlone(group_, reader);
        }
    }

    template <class Visit>
    void eachStep(const GroupItem& item, const Visit& visit) const {
        for (std::size_t k = 0; k < item.steps; ++k)
            visit(group_.steps[item.step + k]);
    }

    /// It reads what the other writes, or writes where the other reads or writes, or both are loads
    /// or both stores: streams come in their order.
    bool comesBehind(const GroupItem& item, const GroupItem& before) const {
        bool behind = transferred(group_.steps[item.step]) != nullptr &&
                      group_.steps[item.step].index() == group_.steps[before.step].index();
        eachStep(item, [&](const Step& step) {
            eachStep(before, [&](const Step& earlier) {
                behind = behind || readsFrom(step, earlier) || writesOver(step, earlier);
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

    const Schedule& group_;
    bool joins_ = false; ///< the second sequencer is busy with calls that are joined
    std::vector<GroupItem> items_;
};

/// Of the queue that has most to do.
std::int64_t mostInAQueue(const std::vector<GroupItem>& items) {
    std::array<std::int64_t, 3> clocks{};
    for (const GroupItem& item : items) {
        clocks[static_cast<std::size_t>(item.form.queue)] += item.form.clocks;
        clocks[static_cast<std::size_t>(Queue::Calls)] +=
            item.form.queue == Queue::Calls ? 0 : kHandOver;
    }
    return std::ranges::max(clocks);
}

class GroupWriter {
public:
    GroupWriter(const Schedule& group, FrameGroups groups)
        : group_(group), groups_(groups), items_(GroupItems(group).take()) {
        made_.name = group.name;
        made_.lanes = group.lanes;
        made_.units = group.units;
        made_.frames = group.frames * groups.number;
        made_.groups = groups.number;
    }

    Schedule run() && {
        addSlots();
        for (std::int64_t g = 0; g < groups_.number; ++g)
            addTensors(g);
        addSteps();
        awaitQueues(made_);
        return std::move(made_);
    }

private:
    SlotId add(Slot slot) {
        slot.id = SlotId{made_.slots.size()};
        slot.name = "slot" + std::to_string(slot.id.value());
        made_.slots.push_back(slot);
        return slot.id;
    }

    /// Rings for what is moved, and copies of the slots that hold anything else.
    void addSlots() {
        for (const Step& step : group_.steps)
            if (const TensorId* moved = transferred(step))
                if (const StoredTensor& tensor = group_.tensor(*moved);
                    !rings_.contains(tensor.value))
                    rings_.emplace(tensor.value, add(ringOf(tensor)));
        for (const StoredTensor& tensor : group_.tensors)
            if (!rings_.contains(tensor.value) && !copies_.contains(tensor.slot))
                for (std::int64_t k = 0; k < groups_.atOnce; ++k)
                    copies_[tensor.slot].push_back(add(group_.slot(tensor.slot)));
    }

    Slot ringOf(const StoredTensor& tensor) const {
        Slot ring = group_.slot(tensor.slot);
        ring.storedLanes = storedLanesFor(tensor.channels, group_.lanes);
        ring.writeLanes = std::min(ring.writeLanes, ring.storedLanes);
        ring.ring = true;
        ring.depth = ringDepth(groups_.atOnce * group_.storedWords(tensor.id), ring.turns);
        return ring;
    }

    void addTensors(std::int64_t g) {
        for (StoredTensor tensor : group_.tensors) {
            tensor.id = TensorId{made_.tensors.size()};
            tensor.firstRow = g * group_.frames * tensor.height;
            if (const auto ring = rings_.find(tensor.value); ring != rings_.end()) {
                tensor.slot = ring->second;
                tensor.base = *tensor.firstRow * tensor.pitch() % made_.slot(tensor.slot).depth;
            } else {
                tensor.slot = copies_.at(tensor.slot)[static_cast<std::size_t>(g % groups_.atOnce)];
            }
            made_.tensors.push_back(std::move(tensor));
        }
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
                setPorts(items_[k], g, form);
                all.push_back(std::move(form));
            }
        return all;
    }

    /// With which a few groups take the fewest clocks, of some.
    std::int64_t bestInterval() const {
        if (groups_.number <= groups_.atOnce)
            return 0;
        constexpr std::array kPercent{100, 105, 112, 125, 0};
        const std::vector<BandItem> few = forms(std::min(2 * groups_.atOnce + 1, groups_.number));
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

    std::size_t ahead() const { return static_cast<std::size_t>(groups_.atOnce - 1); }

    std::vector<std::size_t> order() const {
        return orderBands(forms(groups_.number), ahead(), bestInterval()).items;
    }

    void addSteps() {
        for (const std::size_t next : order()) {
            const GroupItem& item = items_[next % items_.size()];
            for (std::size_t k = 0; k < item.steps; ++k) {
                made_.steps.push_back(stepOf(group_.steps[item.step + k], next / items_.size()));
                made_.order.push_back({item.form.queue});
            }
        }
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
            if (call->epilogue.addend)
                move(*call->epilogue.addend);
        }
        return step;
    }

    const Schedule& group_;
    FrameGroups groups_;
    std::vector<GroupItem> items_;
    Schedule made_;
    std::map<ir::ValueId, SlotId> rings_;          ///< of what is moved
    std::map<SlotId, std::vector<SlotId>> copies_; ///< of a slot of the group
};

} // namespace

std::string whyOneGroup(const Schedule& group) {
    if (group.memory)
        return "what comes from external memory is in the order of one group";
    for (const ScheduleUnit& unit : group.units)
        if (unit.stream || unit.holds)
            return "unit " + unit.name + " takes the frames of a run one by one";
    std::map<ir::ValueId, TensorId> moved;
    for (const Step& step : group.steps)
        if (const TensorId* id = transferred(step))
            moved.emplace(group.tensor(*id).value, *id);
    for (const StoredTensor& tensor : group.tensors)
        if (const auto whole = moved.find(tensor.value);
            whole != moved.end() && whole->second != tensor.id)
            return tensor.name + " lies in parts";
    for (std::size_t s = 0; s < group.steps.size(); ++s) {
        const Step& step = group.steps[s];
        if (transferred(step) == nullptr && !std::holds_alternative<ComputeStep>(step))
            return nameOf(step) + " has hardware of its own for each of its steps";
        if (transferred(step) != nullptr && isJoined(group, s + 1))
            return "a call is joined to " + nameOf(step);
    }
    return {};
}

std::int64_t leastClocks(const Schedule& group) {
    return mostInAQueue(GroupItems(group).take());
}

Schedule inGroups(const Schedule& group, FrameGroups groups) {
    return GroupWriter(group, groups).run();
}

} // namespace marquetry::design
