#include "engine/session/stream_task.h"

#include "engine/spacetime/schedule.h"

#include <cmath>

namespace marquetry::session {

/// What a circuit costs depends on the device, how long it is looked for on the time limit.
void StreamTask::follow(const Settings& before) {
    streams_.setChoices(shared_.choices.streams());
    const Settings& now = shared_.choices.settings();
    if (now.device != before.device || now.seconds != before.seconds)
        streams_.scheduleAgain();
}

Due StreamTask::due() const {
    if (!streams_.due())
        return {};
    return {Work::Plan, streams_.scheduling(), false, "looking for circuits",
            "the stream was scheduled"};
}

void StreamTask::work(std::stop_token stop) {
    const bool asked = streams_.scheduling();
    shared_.progress();
    streams_.work(shared_.setup.device, shared_.choices.settings().seconds, stop);
    shared_.settled();
    if (!stop.stop_requested() && asked)
        logCircuit();
}

bool StreamTask::settle() {
    if (!streams_.due())
        return false;
    streams_.settleForLess();
    shared_.note = "search of circuits stopped";
    return true;
}

std::optional<Status> StreamTask::apply(const Command& command) {
    if (const auto* show = std::get_if<ShowStream>(&command))
        return streams_.show(show->item);
    if (const auto* throughput = std::get_if<SetThroughput>(&command))
        return setThroughput(*throughput);
    if (const auto* circuit = std::get_if<ChooseCircuit>(&command)) {
        StreamChoice choice = choiceOf(circuit->item);
        choice.circuits[circuit->clocks].chosen = circuit->circuit;
        return choose(circuit->item, choice);
    }
    const auto* pin = std::get_if<PinOutputType>(&command);
    if (!pin)
        return std::nullopt;
    StreamChoice choice = choiceOf(pin->item);
    choice.circuits[pin->clocks] = {pin->type, std::nullopt};
    if (pin->type.empty())
        choice.circuits.erase(pin->clocks);
    return choose(pin->item, choice);
}

StreamChoice StreamTask::choiceOf(const std::string& stream) const {
    const StreamItem* item = streams_.find(stream);
    return item ? item->choice : StreamChoice();
}

Status StreamTask::setThroughput(const SetThroughput& command) {
    if (const Status shown = streams_.show(command.item); !shown)
        return shown;
    const auto clocks =
        spacetime::clocksFor(*streams_.find(command.item)->program, command.throughput);
    if (!clocks)
        return clocks.error();
    StreamChoice choice = choiceOf(command.item);
    choice.clocks = *clocks;
    return choose(command.item, choice);
}

Status StreamTask::choose(const std::string& item, const StreamChoice& choice) {
    if (const Status admitted = streams_.admit(item, choice); !admitted)
        return admitted;
    shared_.choices.choose(item, choice);
    streams_.setChoices(shared_.choices.streams());
    return ok();
}

void StreamTask::show(Snapshot& snapshot) {
    snapshot.streams = streams_.shared();
    snapshot.stream = streams_.current();
}

void StreamTask::logCircuit() {
    const StreamItem& item = streams_.items()[streams_.current()];
    if (!item.schedule) {
        for (const Diagnostic& reason : item.failure)
            shared_.log.addReason("no circuit for " + item.program->name, reason);
        return;
    }
    const device::Resources& area = item.schedule->front[item.chosen].area;
    const auto whole = [](double value) { return std::to_string(std::llround(value)); };
    shared_.log.add("circuit of " + item.program->name + " at " +
                    toText(item.schedule->throughput) + " elements per clock: " + whole(area.lut) +
                    " LUT, " + whole(area.ff) + " FF, " + whole(2 * area.bram) +
                    " half block RAMs, " + whole(area.dsp) + " DSP, " +
                    std::to_string(item.schedule->front.size()) + " on the front" +
                    (item.schedule->complete ? "" : ", stopped by: time"));
}

} // namespace marquetry::session
