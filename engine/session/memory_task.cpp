#include "engine/session/memory_task.h"

#include "engine/design/buffer_accesses.h"
#include "engine/design/stream_buffers.h"
#include "engine/session/streams.h"

namespace marquetry::session {

void MemoryTask::open(Memories memories, std::vector<std::string> taken) {
    memories_ = std::move(memories);
    taken_ = std::move(taken);
    buffersOf_.reset();
    arraysOf_ = {};
}

/// What a bank scheme costs depends on the device, how long it is looked for on the time limit.
void MemoryTask::follow(const Settings& before) {
    memories_.setChoices(shared_.choices.banks());
    const Settings& now = shared_.choices.settings();
    if (now.device != before.device || now.seconds != before.seconds)
        memories_.planAgain();
}

void MemoryTask::useDesign(const std::shared_ptr<const design::Design>& design,
                           const ir::Program* program) {
    if (design == buffersOf_)
        return;
    memories_.setBuffers(design ? design::bufferAccesses(*design, *program)
                                : std::vector<ir::MemoryProgram>(),
                         {"buffer of the design", "", taken_}, shared_.choices.banks());
    buffersOf_ = design;
}

void MemoryTask::useCircuit(const StreamItem& stream) {
    const std::pair circuit(stream.schedule, stream.chosen);
    if (circuit == arraysOf_ || stream.scheduling)
        return;
    if (!stream.schedule) {
        memories_.setBuffers({}, {}, shared_.choices.banks());
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
         least ? " --item " + name + " --clocks " + std::to_string(stream.schedule->clocks) : "",
         taken_},
        shared_.choices.banks());
    arraysOf_ = circuit;
}

Due MemoryTask::due() const {
    if (!memories_.due())
        return {};
    return {Work::Plan, true, false, "planning banks", "the banks were planned"};
}

void MemoryTask::work(std::stop_token stop) {
    const bool planned = memories_.items()[memories_.current()].planning;
    shared_.progress();
    memories_.work(shared_.setup.device, {shared_.choices.settings().seconds}, stop);
    shared_.settled();
    if (!stop.stop_requested() && planned)
        logBanks();
}

bool MemoryTask::settle() {
    if (!memories_.due())
        return false;
    memories_.settleForLess();
    shared_.note = "search of banks stopped";
    logBanks();
    return true;
}

std::optional<Status> MemoryTask::apply(const Command& command) {
    if (const auto* show = std::get_if<ShowMemory>(&command))
        return memories_.show(show->item);
    if (const auto* attempt = std::get_if<TryBanks>(&command))
        return memories_.attempt(attempt->item, attempt->scheme);
    if (const auto* pin = std::get_if<PinBanks>(&command))
        return choose(pin->item, {pin->pins, std::nullopt});
    const auto* chosen = std::get_if<ChooseBanks>(&command);
    if (!chosen)
        return std::nullopt;
    BankChoice choice;
    if (const MemoryItem* item = memories_.find(chosen->item))
        choice = item->choice;
    choice.chosen = chosen->scheme;
    return choose(chosen->item, choice);
}

Status MemoryTask::choose(const std::string& item, const BankChoice& choice) {
    if (const Status admitted = memories_.admit(item, choice); !admitted)
        return admitted;
    shared_.choices.choose(item, choice);
    memories_.setChoices(shared_.choices.banks());
    return ok();
}

void MemoryTask::show(Snapshot& snapshot) {
    snapshot.memories = memories_.shared();
    snapshot.memory = memories_.current();
}

void MemoryTask::logBanks() {
    const MemoryItem& item = memories_.items()[memories_.current()];
    if (!item.plan) {
        for (const Diagnostic& reason : item.failure)
            shared_.log.addReason("no banks for " + item.program->name, reason);
        return;
    }
    const banking::SearchResult& found = item.plan->found;
    std::string line = "banks of " + item.program->name + ": " +
                       item.plan->front[item.chosen].scheme.text() + ", " +
                       std::to_string(item.plan->front.size()) + " on the front";
    if (found.minBanks > 0)
        line += ", fewest " + std::to_string(found.minBanks) +
                (found.proved() ? " (proven: " + proofName(found) + ")" : " (not proven)");
    if (found.outcome != banking::SearchOutcome::Complete)
        line += ", stopped by: " + toString(found.outcome);
    shared_.log.add(line);
}

} // namespace marquetry::session
