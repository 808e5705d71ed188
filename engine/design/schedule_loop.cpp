#include "engine/design/schedule_loop.h"

#include "engine/design/step_queues.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace marquetry::design {

namespace {

/// Tensors that lie alike in the same place are named by one of them.
class TensorPlaces {
public:
    explicit TensorPlaces(const Schedule& schedule) {
        using Form = std::array<std::int64_t, 5>;
        std::map<std::tuple<SlotId, std::int64_t, ir::ValueId, Form>, TensorId> known;
        for (const StoredTensor& tensor : schedule.tensors) {
            const Form form{tensor.height, tensor.width, tensor.channels, tensor.rowWords,
                            static_cast<std::int64_t>(tensor.scalar)};
            const auto at =
                known.try_emplace({tensor.slot, tensor.base, tensor.value, form}, tensor.id);
            of_.push_back(at.first->second);
        }
    }

    void place(TensorId& id) const { id = of_[id.index()]; }

private:
    std::vector<TensorId> of_;
};

/// What a sequencer knows of a step. A stream goes on where it was.
Step placed(const TensorPlaces& places, const StoredTensor* moved, Step step) {
    if (auto* load = std::get_if<LoadStep>(&step))
        load->tensor = TensorId{moved->slot.index()};
    if (auto* store = std::get_if<StoreStep>(&step))
        store->tensor = TensorId{moved->slot.index()};
    if (auto* call = std::get_if<ComputeStep>(&step)) {
        places.place(call->input);
        places.place(call->output);
        if (call->held)
            places.place(*call->held);
        if (call->epilogue.addend)
            places.place(*call->epilogue.addend);
    }
    if (auto* move = std::get_if<MoveStep>(&step)) {
        places.place(move->source);
        if (move->target)
            places.place(*move->target);
    }
    if (auto* rows = std::get_if<RowStep>(&step)) {
        places.place(rows->input);
        places.place(rows->output);
        if (rows->other)
            places.place(*rows->other);
    }
    return step;
}

bool alike(const Step& a, const Step& b) {
    if (a.index() != b.index())
        return false;
    if (const auto* load = std::get_if<LoadStep>(&a))
        return *load == std::get<LoadStep>(b);
    if (const auto* store = std::get_if<StoreStep>(&a))
        return store->port == std::get<StoreStep>(b).port &&
               store->tensor == std::get<StoreStep>(b).tensor;
    if (const auto* call = std::get_if<ComputeStep>(&a))
        return *call == std::get<ComputeStep>(b);
    if (const auto* move = std::get_if<MoveStep>(&a))
        return *move == std::get<MoveStep>(b);
    return std::get<RowStep>(a) == std::get<RowStep>(b);
}

/// By step, a number that those which are alike share.
std::vector<std::size_t> kindsOf(const Schedule& schedule) {
    const TensorPlaces places(schedule);
    struct Kind {
        Step step;
        StepOrder order;
        std::optional<std::int64_t> joined; ///< of the step behind it, which it starts
        std::size_t number;
    };
    const auto joinedBehind = [&](std::size_t s) {
        return isJoined(schedule, s + 1) ? std::get<ComputeStep>(schedule.steps[s + 1]).joinedAfter
                                         : std::nullopt;
    };
    std::map<std::string, std::vector<Kind>> known;
    std::vector<std::size_t> kinds;
    std::size_t count = 0;
    for (std::size_t s = 0; s < schedule.steps.size(); ++s) {
        const Step& step = schedule.steps[s];
        const StoredTensor* moved = nullptr;
        std::string name;
        if (const auto* load = std::get_if<LoadStep>(&step)) {
            moved = &schedule.tensor(load->tensor);
            name = load->port;
        } else if (const auto* store = std::get_if<StoreStep>(&step)) {
            moved = &schedule.tensor(store->tensor);
            name = store->port;
        } else {
            name = *layerOf(step);
        }
        Kind kind{placed(places, moved, step), schedule.orderOf(s), joinedBehind(s), count};
        std::vector<Kind>& others = known[name];
        const auto same = std::ranges::find_if(others, [&](const Kind& other) {
            return other.order == kind.order && other.joined == kind.joined &&
                   alike(other.step, kind.step);
        });
        kinds.push_back(same != others.end() ? same->number : count++);
        if (same == others.end())
            others.push_back(std::move(kind));
    }
    return kinds;
}

/// Behind the first step of each stream.
std::size_t firstInside(const Schedule& schedule) {
    std::set<std::pair<std::size_t, std::string>> streams;
    std::size_t first = 0;
    for (std::size_t s = 0; s < schedule.steps.size(); ++s) {
        const Step& step = schedule.steps[s];
        const auto* load = std::get_if<LoadStep>(&step);
        const auto* store = std::get_if<StoreStep>(&step);
        if ((load != nullptr && streams.emplace(step.index(), load->port).second) ||
            (store != nullptr && streams.emplace(step.index(), store->port).second))
            first = s + 1;
    }
    return first;
}

} // namespace

std::size_t ScheduleLoop::placeOf(std::size_t step) const {
    if (step < first)
        return step;
    return step < end() ? first + (step - first) % length : step - repeated();
}

std::optional<ScheduleLoop> scheduleLoop(const Schedule& schedule) {
    constexpr std::size_t kMostGroupsOfARound = 8;
    constexpr std::size_t kWorthIt = 16; // steps
    const auto groups = static_cast<std::size_t>(schedule.groups);
    const std::size_t steps = schedule.steps.size();
    if (groups < 3 || steps < groups || steps % groups != 0 || schedule.order.empty() ||
        schedule.memory)
        return std::nullopt;
    const std::vector<std::size_t> kinds = kindsOf(schedule);
    const std::size_t begin = firstInside(schedule), end = kinds.size() - 1;
    std::optional<ScheduleLoop> best;
    for (std::size_t k = 1; k <= kMostGroupsOfARound; ++k) {
        const std::size_t length = steps / groups * k;
        std::size_t alikeFor = 0; // steps up to this one that are as those a round behind
        for (std::size_t s = begin; s + length < end; ++s) {
            alikeFor = kinds[s] == kinds[s + length] ? alikeFor + 1 : 0;
            // Two steps that are joined are in one round.
            const std::size_t first = s + 1 - alikeFor;
            const std::size_t split = alikeFor > 0 && isJoined(schedule, first) ? 1 : 0;
            const ScheduleLoop loop{first + split, length, (alikeFor - split) / length + 1};
            if (loop.repeated() >= kWorthIt && (!best || loop.repeated() > best->repeated()))
                best = loop;
        }
    }
    return best;
}

} // namespace marquetry::design
