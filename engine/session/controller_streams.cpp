// Streams: the item at hand, its throughput, and the circuit the user chose of its front.
#include "engine/session/controller.h"

#include <cmath>

namespace marquetry::session {

Status Controller::apply(const ShowStream& command) {
    return streams_.show(command.item);
}

StreamChoice Controller::choiceOf(const std::string& stream) const {
    const StreamItem* item = streams_.find(stream);
    return item ? item->choice : StreamChoice();
}

Status Controller::apply(const SetThroughput& command) {
    if (const Status shown = streams_.show(command.item); !shown)
        return shown;
    const auto clocks =
        spacetime::clocksFor(*streams_.find(command.item)->program, command.throughput);
    if (!clocks)
        return clocks.error();
    StreamChoice choice = choiceOf(command.item);
    choice.clocks = *clocks;
    return chooseStream(command.item, choice);
}

Status Controller::apply(const ChooseCircuit& command) {
    StreamChoice choice = choiceOf(command.item);
    choice.circuits[command.clocks].chosen = command.circuit;
    return chooseStream(command.item, choice);
}

Status Controller::apply(const PinOutputType& command) {
    StreamChoice choice = choiceOf(command.item);
    choice.circuits[command.clocks] = {command.type, std::nullopt};
    if (command.type.empty())
        choice.circuits.erase(command.clocks);
    return chooseStream(command.item, choice);
}

Status Controller::chooseStream(const std::string& item, const StreamChoice& choice) {
    if (const Status admitted = streams_.admit(item, choice); !admitted)
        return admitted;
    choices_.choose(item, choice);
    streams_.setChoices(choices_.streams());
    return ok();
}

void Controller::workStream(std::stop_token stop) {
    const bool asked = streams_.scheduling();
    hooks_.progress();
    streams_.work(setup_.device, choices_.settings().seconds, stop);
    working_ = Work::None; // it is done: what fails now are words
    if (!stop.stop_requested() && asked)
        logStream();
    if (stop.stop_requested() && job_)
        refuseJob(makeError("interrupted", "another command came before the stream was scheduled"));
}

std::shared_ptr<const StreamItem> Controller::streamAtHand() const {
    if (explorer_.loaded() || !streams_.any())
        return nullptr;
    const StreamItem& item = streams_.items()[streams_.current()];
    return item.operators ? std::make_shared<const StreamItem>(item) : nullptr;
}

void Controller::logStream() {
    const StreamItem& item = streams_.items()[streams_.current()];
    if (!item.schedule) {
        for (const Diagnostic& reason : item.failure)
            log("no circuit for " + item.program->name + ": " + reason.message + " [" +
                reason.code + "]");
        return;
    }
    const device::Resources& area = item.schedule->front[item.chosen].area;
    const auto whole = [](double value) { return std::to_string(std::llround(value)); };
    log("circuit of " + item.program->name + " at " + toText(item.schedule->throughput) +
        " elements per clock: " + whole(area.lut) + " LUT, " + whole(area.ff) + " FF, " +
        whole(2 * area.bram) + " half block RAMs, " + whole(area.dsp) + " DSP, " +
        std::to_string(item.schedule->front.size()) + " on the front" +
        (item.schedule->complete ? "" : ", stopped by: time"));
}

} // namespace marquetry::session
