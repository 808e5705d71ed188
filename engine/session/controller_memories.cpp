// Memories: the item at hand, its plan, what the user fixes of it and tries on it.
#include "engine/design/buffer_accesses.h"
#include "engine/design/stream_buffers.h"
#include "engine/session/controller.h"

namespace marquetry::session {

/// The memory of the name, or of a file of nothing else the one at hand; null while it is planned.
std::shared_ptr<const MemoryItem> Controller::exportedMemory(const std::string& name) const {
    const bool atHand = name.empty() && memories_.any() && !explorer_.loaded() && !streams_.any();
    const MemoryItem* item = atHand ? &memories_.items()[memories_.current()] : nullptr;
    if (!name.empty())
        item = memories_.find(name);
    return item && item->ready() ? std::make_shared<const MemoryItem>(*item) : nullptr;
}

/// The buffers of the design at hand, when someone looks and nothing is running; without a design
/// the shifted values of the circuit at hand.
void Controller::refreshBuffers() {
    if (!explorer_.loaded() && streams_.any())
        return refreshArrays(streams_.items()[streams_.current()]);
    const auto& design = explorer_.found().design;
    if (design == buffersOf_ || (design && (extractDue_ || mode_ == Mode::Saturating)))
        return;
    memories_.setBuffers(design ? design::bufferAccesses(*design, *explorer_.program())
                                : std::vector<ir::MemoryProgram>(),
                         {"buffer of the design", ""}, choices_.banks());
    buffersOf_ = design;
}

void Controller::refreshArrays(const StreamItem& stream) {
    const std::pair circuit(stream.schedule, stream.chosen);
    if (circuit == arraysOf_ || stream.scheduling)
        return;
    if (!stream.schedule) {
        memories_.setBuffers({}, {}, choices_.banks());
        arraysOf_ = circuit;
        return;
    }
    std::vector<std::string> inputs;
    for (const ir::StreamNodeId input : stream.program->graph.inputs)
        inputs.push_back(stream.program->graph.node(input).name);
    const std::string& name = stream.program->name;
    // The command line takes the least circuit of any type.
    const bool least = stream.chosen == 0 && stream.scheduledType.empty();
    memories_.setBuffers(
        design::streamBuffers(stream.schedule->front[stream.chosen].circuit, inputs),
        {"stream " + name + ", " + toText(stream.schedule->throughput) + " elements per clock",
         least ? " --item " + name + " --clocks " + std::to_string(stream.schedule->clocks) : ""},
        choices_.banks());
    arraysOf_ = circuit;
}

Status Controller::apply(const ShowMemory& command) {
    return memories_.show(command.item);
}

Status Controller::apply(const TryBanks& command) {
    return memories_.attempt(command.item, command.scheme);
}

Status Controller::apply(const ChooseBanks& command) {
    BankChoice choice;
    if (const MemoryItem* item = memories_.find(command.item))
        choice = item->choice;
    choice.chosen = command.scheme;
    return chooseBanks(command.item, choice);
}

Status Controller::apply(const PinBanks& command) {
    return chooseBanks(command.item, {command.pins, std::nullopt});
}

Status Controller::chooseBanks(const std::string& item, const BankChoice& choice) {
    if (const Status admitted = memories_.admit(item, choice); !admitted)
        return admitted;
    choices_.choose(item, choice);
    memories_.setChoices(choices_.banks());
    return ok();
}

/// What a bank scheme or a circuit costs depends on the device, how long it is looked for on the
/// time limit.
void Controller::replanFor(const Settings& before) {
    const Settings& now = choices_.settings();
    if (now.device == before.device && now.seconds == before.seconds)
        return;
    memories_.planAgain();
    streams_.scheduleAgain();
}

std::shared_ptr<const MemoryItem> Controller::memoryOf(const Command& command) const {
    if (const auto* written = std::get_if<Export>(&command))
        return exportedMemory(written->item);
    const auto* verified = std::get_if<Verify>(&command);
    return verified ? exportedMemory(verified->item) : nullptr;
}

bool Controller::onBuffer(const Command& command) const {
    return std::visit(
        [this](const auto& c) {
            if constexpr (requires { memories_.find(c.item)->buffer; } &&
                          !std::is_same_v<std::decay_t<decltype(c)>, OpenFile>) {
                const MemoryItem* item = memories_.find(c.item);
                return item && item->buffer && item->options.empty();
            } else {
                return false;
            }
        },
        command);
}

void Controller::workPlan(std::stop_token stop) {
    if (!memories_.due())
        return workStream(std::move(stop));
    const bool planned = memories_.items()[memories_.current()].planning;
    hooks_.progress();
    memories_.work(setup_.device, choices_.settings().seconds, stop);
    working_ = Work::None; // it is done: what fails now are words
    if (!stop.stop_requested() && planned)
        logBanks();
    if (stop.stop_requested() && job_)
        refuseJob(makeError("interrupted", "another command came before the banks were planned"));
}

/// Nobody waits for the plan under way any more: what it found so far counts. True when one was.
bool Controller::endPlan() {
    if (!memories_.due() && !streams_.due())
        return false;
    if (!memories_.due()) {
        streams_.settleForLess();
        note_ = "search of circuits stopped";
        return true;
    }
    memories_.settleForLess();
    note_ = "search of banks stopped";
    logBanks();
    return true;
}

void Controller::logBanks() {
    const MemoryItem& item = memories_.items()[memories_.current()];
    if (!item.plan) {
        for (const Diagnostic& reason : item.failure)
            log("no banks for " + item.program->name + ": " + reason.message + " [" + reason.code +
                "]");
        return;
    }
    const banking::SearchResult& found = item.plan->found;
    std::string line = "banks of " + item.program->name + ": " +
                       item.plan->front[item.chosen].scheme.text() + ", " +
                       std::to_string(item.plan->front.size()) + " on the front";
    if (found.minBanks > 0)
        line += ", fewest " + std::to_string(found.minBanks) +
                (found.proved ? " (proven: " + found.proof + ")" : " (not proven)");
    if (found.outcome != banking::Outcome::Complete)
        line += ", stopped by: " + toString(found.outcome);
    log(line);
}

} // namespace marquetry::session
