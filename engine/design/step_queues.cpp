#include "engine/design/step_queues.h"

#include "engine/design/step_name.h"

#include <algorithm>
#include <vector>

namespace marquetry::design {

namespace {

/// Words of a slot that a tensor takes; behind the end of a ring they go on at its beginning.
struct Span {
    SlotId slot;
    std::int64_t begin = 0, end = 0;
};

std::vector<Span> spansOf(const Schedule& schedule, TensorId id) {
    const StoredTensor& tensor = schedule.tensor(id);
    const std::int64_t begin = schedule.addressOf(tensor, 0);
    const std::int64_t end = begin + schedule.storedWords(id);
    const Slot& slot = schedule.slot(tensor.slot);
    if (!slot.ring || end <= slot.depth)
        return {{slot.id, begin, end}};
    return {{slot.id, begin, slot.depth}, {slot.id, 0, end - slot.depth}};
}

bool meet(const Schedule& schedule, TensorId a, TensorId b) {
    for (const Span& one : spansOf(schedule, a))
        for (const Span& other : spansOf(schedule, b))
            if (one.slot == other.slot && one.begin < other.end && other.begin < one.end)
                return true;
    return false;
}

/// The first step writes what the other reads or writes.
std::optional<std::string> whyNotWrite(const Schedule& schedule, const Step& step,
                                       const Step& other) {
    const std::optional<TensorId> target = targetOf(step);
    if (!target)
        return std::nullopt;
    const StoredTensor& tensor = schedule.tensor(*target);
    const std::optional<TensorId> written = targetOf(other);
    if (written && schedule.tensor(*written).slot == tensor.slot)
        return "write slot " + schedule.slot(tensor.slot).name;
    for (const TensorId source : sourcesOf(other))
        if (meet(schedule, *target, source))
            return "read and write words of " + tensor.name;
    return std::nullopt;
}

} // namespace

std::optional<std::string> whyNotAtOnce(const Schedule& schedule, std::size_t first,
                                        std::size_t then) {
    const Step& a = schedule.steps[first];
    const Step& b = schedule.steps[then];
    if (unitOfStep(a) && unitOfStep(a) == unitOfStep(b))
        return "run on unit " + schedule.unit(*unitOfStep(a)).name;
    for (const TensorId one : sourcesOf(a))
        for (const TensorId other : sourcesOf(b))
            if (schedule.tensor(one).slot == schedule.tensor(other).slot)
                return "read slot " + schedule.slot(schedule.tensor(one).slot).name;
    const auto why = whyNotWrite(schedule, a, b);
    return why ? why : whyNotWrite(schedule, b, a);
}

bool mayRunSecond(const Schedule& schedule, const ComputeStep& step) {
    const ScheduleUnit& unit = schedule.unit(step.unit);
    return !step.external && !step.held && !step.joinedAfter && !unit.stream && !unit.holds &&
           unit.ringWords == 0 && (unit.lanewise() || unit.pass);
}

bool isJoined(const Schedule& schedule, std::size_t index) {
    const auto* call =
        index < schedule.steps.size() ? std::get_if<ComputeStep>(&schedule.steps[index]) : nullptr;
    return call != nullptr && call->joinedAfter.has_value();
}

bool awaits(const StepOrder& order, Queue queue) {
    switch (queue) {
    case Queue::Second:
        return order.awaitsSecond || order.queue == queue;
    case Queue::Transfers:
        return order.awaitsTransfers || order.queue == queue;
    case Queue::Calls:
        break;
    }
    return true;
}

void awaitQueues(Schedule& schedule) {
    const std::size_t none = schedule.steps.size();
    std::size_t second = none, transfer = none; // that may be running
    for (std::size_t s = 0; s < schedule.steps.size(); ++s) {
        StepOrder& order = schedule.order[s];
        order.awaitsSecond = order.awaitsTransfers = false;
        if (isJoined(schedule, s))
            continue; // it begins by itself: the step before awaits all for it
        const bool joins = isJoined(schedule, s + 1);
        const auto meets = [&](std::size_t running) {
            return s + 1 == schedule.steps.size() ||
                   (running != none && (whyNotAtOnce(schedule, running, s) ||
                                        (joins && whyNotAtOnce(schedule, running, s + 1))));
        };
        // The follower runs what is joined to it.
        order.awaitsSecond = order.queue == Queue::Second || joins || meets(second);
        order.awaitsTransfers = order.queue == Queue::Transfers || meets(transfer);
        if (order.awaitsSecond)
            second = order.queue == Queue::Second ? s : none;
        if (order.awaitsTransfers)
            transfer = order.queue == Queue::Transfers ? s : none;
    }
}

} // namespace marquetry::design
