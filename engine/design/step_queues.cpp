#include "engine/design/step_queues.h"

#include "engine/design/step_name.h"

#include <algorithm>
#include <array>
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

std::optional<UnitId> unitTaken(const Step& step) {
    const auto* move = std::get_if<MoveStep>(&step);
    return move != nullptr && move->target ? std::nullopt : unitOfStep(step);
}

std::optional<std::string> whyNotAtOnce(const Schedule& schedule, std::size_t first,
                                        std::size_t then) {
    const Step& a = schedule.steps[first];
    const Step& b = schedule.steps[then];
    if (unitTaken(a) && unitTaken(a) == unitTaken(b))
        return "run on unit " + schedule.unit(*unitTaken(a)).name;
    for (const TensorId one : sourcesOf(a))
        for (const TensorId other : sourcesOf(b))
            if (schedule.tensor(one).slot == schedule.tensor(other).slot)
                return "read slot " + schedule.slot(schedule.tensor(one).slot).name;
    const auto why = whyNotWrite(schedule, a, b);
    return why ? why : whyNotWrite(schedule, b, a);
}

bool mayRunBeside(const Step& step) {
    const auto taken = unitTaken(step);
    if (!taken)
        return false;
    const auto* call = std::get_if<ComputeStep>(&step);
    return call == nullptr || !call->joinedAfter;
}

bool isSecondary(const Schedule& schedule, const ComputeStep& step) {
    const ScheduleUnit& unit = schedule.unit(step.unit);
    return mayRunBeside(step) && (unit.lanewise() || unit.pass) && unit.ringWords == 0;
}

bool isJoined(const Schedule& schedule, std::size_t index) {
    const auto* call =
        index < schedule.steps.size() ? std::get_if<ComputeStep>(&schedule.steps[index]) : nullptr;
    return call != nullptr && call->joinedAfter.has_value();
}

Queue sequencerOf(const Schedule& schedule, std::size_t step) {
    return isJoined(schedule, step) ? Queue::Second : schedule.orderOf(step).queue;
}

bool awaits(const StepOrder& order, Queue queue) {
    return queue == Queue::Calls || order.queue == queue || order.says(queue);
}

void awaitQueues(Schedule& schedule) {
    std::array<std::optional<std::size_t>, kMostQueues> running; // that may be, by queue
    const std::size_t queues = std::max(schedule.queues(), indexOf(Queue::Second) + 1);
    for (std::size_t s = 0; s < schedule.steps.size(); ++s) {
        StepOrder& order = schedule.order[s];
        order.awaited = 0;
        if (isJoined(schedule, s))
            continue; // it begins by itself: the step before awaits all for it
        const bool joins = isJoined(schedule, s + 1);
        const auto meets = [&](std::size_t other) {
            return whyNotAtOnce(schedule, other, s) ||
                   (joins && whyNotAtOnce(schedule, other, s + 1));
        };
        for (std::size_t k = indexOf(Queue::Transfers); k < queues; ++k) {
            const auto queue = static_cast<Queue>(k);
            // The second sequencer runs what is joined to it.
            const bool taken = order.queue == queue || (joins && queue == Queue::Second);
            const bool last = s + 1 == schedule.steps.size();
            if (!taken && !last && !(running[k] && meets(*running[k])))
                continue;
            order.await(queue);
            running[k] = order.queue == queue ? std::optional(s) : std::nullopt;
        }
    }
}

} // namespace marquetry::design
