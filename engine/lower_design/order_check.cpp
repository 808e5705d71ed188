#include "engine/lower_design/order_check.h"

#include "engine/design/external_tensors.h"
#include "engine/design/move_hardware.h"
#include "engine/design/row_step.h"
#include "engine/design/step_name.h"
#include "engine/design/step_queues.h"
#include "engine/rtl/netlist.h"

#include <algorithm>
#include <array>
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
        checkMovers();
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

    static bool copies(const Step& step) {
        const auto* move = std::get_if<design::MoveStep>(&step);
        return move != nullptr && move->target;
    }

    void checkMovers() {
        for (const std::vector<std::size_t>& moves : design::movesOfMovers(schedule_))
            checkOneQueue(moves, "one mover copies them all");
        for (const std::vector<std::size_t>& steps : design::stepsOfRowUnits(schedule_))
            checkOneQueue(steps, "one unit of rows runs them all");
    }

    void checkOneQueue(const std::vector<std::size_t>& steps, const char* hint) {
        for (const std::size_t step : steps)
            if (schedule_.order[step].queue != schedule_.order[steps.front()].queue)
                return refuse(cat(design::nameOf(schedule_.steps[step]),
                                  " runs in another queue than those before"),
                              hint);
    }

    void checkQueue(std::size_t index) {
        const Step& step = schedule_.steps[index];
        const Queue queue = schedule_.order[index].queue;
        if (indexOf(queue) >= design::kMostQueues)
            refuse(cat(design::nameOf(step), " runs in queue ", indexOf(queue)));
        if (isBeside(queue) && !design::mayRunBeside(step))
            refuse(cat(design::nameOf(step), " cannot run beside other calls"),
                   "other sequencers run functions of rows, moves to weights, and calls that are "
                   "joined to nothing");
        if (const Queue sequencer = design::sequencerOf(schedule_, index); isBeside(sequencer))
            if (const auto unit = design::unitTaken(step))
                checkUnit(*unit, sequencer);
        if (queue == Queue::Transfers && !transfers(step) && !copies(step))
            refuse(cat(design::nameOf(step), " is no load, no store and no move between slots"));
        if (transfers(step))
            checkMover(step, queue);
        if (const auto* call = std::get_if<design::ComputeStep>(&step))
            checkRing(*call, queue);
    }

    /// Its words are used in the order in which one sequencer runs its calls.
    void checkRing(const design::ComputeStep& call, Queue queue) {
        if (schedule_.unit(call.unit).ringWords == 0 || call.joinedAfter)
            return;
        if (call.external && isBeside(queue) && !schedule_.externals.empty())
            refuse(cat("layer ", call.layer,
                       " reads its weights beside steps that may move external rows"),
                   "where external rows move, the first queue reads weights");
        const auto [known, fresh] = ringQueues_.try_emplace(call.unit, queue);
        if (known->second != queue)
            refuse(cat("unit ", schedule_.unit(call.unit).name,
                       " has external weights, and runs in two queues"),
                   "all calls of such a unit run in one");
    }

    /// It listens to the leader and to one other sequencer at most.
    void checkUnit(design::UnitId unit, Queue queue) {
        const auto [known, fresh] = besides_.try_emplace(unit, queue);
        if (known->second != queue)
            refuse(cat("unit ", schedule_.unit(unit).name, " runs in two queues beside calls"),
                   "all its steps that run beside others run in one");
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
        if (own.awaited != 0)
            refuse(cat(design::nameOf(schedule_.steps[index]), " is joined and awaits a queue"),
                   "what it would meet is awaited by the step that it is joined to");
        if (own.queue != Queue::Calls || before.queue != Queue::Calls ||
            !before.says(Queue::Second))
            refuse(cat(design::nameOf(schedule_.steps[index]), " is joined to ",
                       design::nameOf(schedule_.steps[index - 1]),
                       ", while another call may run on the second sequencer"));
    }

    /// A step that is running, of another queue.
    void checkMeeting(std::size_t index) {
        const StepOrder& order = schedule_.order[index];
        for (std::size_t k = indexOf(Queue::Transfers); k < design::kMostQueues; ++k) {
            std::optional<std::size_t>& running = running_[k];
            if (design::awaits(order, static_cast<Queue>(k)))
                running.reset();
            if (!running)
                continue;
            if (const auto why = design::whyNotAtOnce(schedule_, *running, index))
                refuse(cat(design::nameOf(schedule_.steps[index]), " does not await ",
                           design::nameOf(schedule_.steps[*running]), ", and both ", *why),
                       cat("step ", index, " awaits the queue of step ", *running));
        }
        if (order.queue != Queue::Calls)
            running_[indexOf(order.queue)] = index;
    }

    void checkLast() {
        if (!errors_.empty() || schedule_.order.empty())
            return;
        const StepOrder& last = schedule_.order.back();
        bool alone = !isBeside(last.queue);
        for (std::size_t k = indexOf(Queue::Transfers); k < schedule_.queues(); ++k)
            alone = alone && last.says(static_cast<Queue>(k));
        if (!alone)
            refuse(cat("a run ends with ", design::nameOf(schedule_.steps.back()),
                       " while others may be running"),
                   "the last step runs alone, is no call beside others, and awaits all queues");
    }

    const Schedule& schedule_;
    std::map<std::tuple<bool, bool, std::string>, Queue> queues_; ///< loads?, external?, port
    std::map<design::UnitId, Queue> besides_;                     ///< of calls beside others
    std::map<design::UnitId, Queue> ringQueues_; ///< of units with external weights
    std::array<std::optional<std::size_t>, design::kMostQueues> running_; ///< that may be
    Diagnostics errors_;
};

} // namespace

Diagnostics whyNoOrder(const Schedule& schedule) {
    return schedule.order.empty() ? Diagnostics{} : OrderChecker(schedule).run();
}

} // namespace marquetry::hdl
