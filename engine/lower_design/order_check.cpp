#include "engine/lower_design/order_check.h"

#include "engine/design/external_tensors.h"
#include "engine/design/step_name.h"
#include "engine/design/step_queues.h"
#include "engine/rtl/netlist.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

namespace marquetry::hdl {

namespace {

using design::Queue;
using design::Schedule;
using design::Step;
using design::StepOrder;

class OrderChecker {
public:
    explicit OrderChecker(const Schedule& schedule) : schedule_(schedule) {}

    Diagnostics run() {
        if (schedule_.order.size() != schedule_.steps.size()) {
            refuse(cat("of ", schedule_.steps.size(), " steps ", schedule_.order.size(),
                       " have a queue"));
            return std::move(errors_);
        }
        for (const design::ScheduleUnit& unit : schedule_.units)
            if (unit.stream)
                refuse(cat("stream unit ", unit.name, " has no hardware beside other queues"));
        for (std::size_t s = 0; s < schedule_.steps.size() && errors_.empty(); ++s) {
            checkQueue(s);
            checkJoined(s);
            checkMeeting(s);
        }
        checkLast();
        return std::move(errors_);
    }

private:
    void refuse(std::string message, std::string hint = {}) {
        errors_.push_back(makeError("hdl-unsupported", std::move(message), std::move(hint)));
    }

    static bool transfers(const Step& step) {
        return std::holds_alternative<design::LoadStep>(step) ||
               std::holds_alternative<design::StoreStep>(step);
    }

    void checkQueue(std::size_t index) {
        const Step& step = schedule_.steps[index];
        const Queue queue = schedule_.order[index].queue;
        const auto* call = std::get_if<design::ComputeStep>(&step);
        if (queue == Queue::Second && (call == nullptr || !design::mayRunSecond(schedule_, *call)))
            refuse(cat(design::nameOf(step), " cannot run beside other calls"),
                   "the second sequencer runs calls of pools and depth-wise convolutions whose "
                   "weights are on the chip");
        if (queue == Queue::Transfers && !transfers(step))
            refuse(cat(design::nameOf(step), " is no load and no store"));
        if (transfers(step))
            checkMover(step, queue);
    }

    /// One mover takes what comes through one port into one slot, and one engine all external rows.
    void checkMover(const Step& step, Queue queue) {
        if (design::movesExternal(step) && queue != Queue::Transfers)
            return refuse(
                cat(design::nameOf(step), " moves external rows while nothing else runs"),
                "where steps have an order, external rows move in the queue of transfers");
        const auto* load = std::get_if<design::LoadStep>(&step);
        const std::string& port =
            load != nullptr ? load->port : std::get<design::StoreStep>(step).port;
        const auto [known, fresh] =
            queues_.try_emplace({load != nullptr, design::movesExternal(step), port}, queue);
        if (known->second != queue)
            refuse(cat(design::nameOf(step), " runs in another queue than the rows before"));
    }

    void checkJoined(std::size_t index) {
        const auto* call = std::get_if<design::ComputeStep>(&schedule_.steps[index]);
        if (call == nullptr || !call->joinedAfter || index == 0)
            return;
        const StepOrder& before = schedule_.order[index - 1];
        const StepOrder& own = schedule_.order[index];
        if (own.awaitsSecond || own.awaitsTransfers)
            refuse(cat(design::nameOf(schedule_.steps[index]), " is joined and awaits a queue"),
                   "what it would meet is awaited by the step that it is joined to");
        if (own.queue != Queue::Calls || before.queue != Queue::Calls || !before.awaitsSecond)
            refuse(cat(design::nameOf(schedule_.steps[index]), " is joined to ",
                       design::nameOf(schedule_.steps[index - 1]),
                       ", while another call may run on the second sequencer"));
    }

    /// A step that is running, of another queue.
    void checkMeeting(std::size_t index) {
        const StepOrder& order = schedule_.order[index];
        const auto check = [&](std::optional<std::size_t>& running, bool awaited) {
            if (awaited)
                running.reset();
            if (!running)
                return;
            if (const auto why = design::whyNotAtOnce(schedule_, *running, index))
                refuse(cat(design::nameOf(schedule_.steps[index]), " does not await ",
                           design::nameOf(schedule_.steps[*running]), ", and both ", *why),
                       cat("step ", index, " awaits the queue of step ", *running));
        };
        check(second_, design::awaits(order, Queue::Second));
        check(transfer_, design::awaits(order, Queue::Transfers));
        if (order.queue == Queue::Second)
            second_ = index;
        if (order.queue == Queue::Transfers)
            transfer_ = index;
    }

    void checkLast() {
        if (!errors_.empty() || schedule_.order.empty())
            return;
        const StepOrder& last = schedule_.order.back();
        if (last.queue == Queue::Second || !last.awaitsSecond || !last.awaitsTransfers)
            refuse(cat("a run ends with ", design::nameOf(schedule_.steps.back()),
                       " while others may be running"),
                   "the last step runs alone, is no second call, and awaits both other queues");
    }

    const Schedule& schedule_;
    std::map<std::tuple<bool, bool, std::string>, Queue> queues_; ///< loads?, external?, port
    std::optional<std::size_t> second_, transfer_;                ///< steps that may be running
    Diagnostics errors_;
};

} // namespace

Diagnostics whyNoOrder(const Schedule& schedule) {
    return schedule.order.empty() ? Diagnostics{} : OrderChecker(schedule).run();
}

} // namespace marquetry::hdl
