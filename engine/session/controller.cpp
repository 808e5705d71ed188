#include "engine/session/controller.h"

#include "engine/session/design_file.h"
#include "engine/support/assert.h"

#include <utility>

namespace marquetry::session {

namespace {

constexpr const char* kInHand = "doing a command";

template <class... Kinds>
bool isOneOf(const Command& command) {
    return (std::holds_alternative<Kinds>(command) || ...);
}

bool opens(const Command& command) {
    return isOneOf<OpenFile, OpenText, OpenSession>(command);
}

Setup defaultSetup() {
    auto setup = makeSetup(Settings{}, {});
    ENGINE_ASSERT(setup.has_value(), "the default settings are valid");
    return *std::move(setup);
}

} // namespace

bool interrupts(const Command& command, Work work) {
    switch (work) {
    case Work::None:
        return false;
    case Work::Open:
        return opens(command) || isOneOf<StopRun>(command);
    case Work::Iterate:
        return opens(command) || isOneOf<Pause, StopRun>(command);
    case Work::Extract:
        return !isOneOf<AskProof, AskChanges, StopChanges, AskWithoutRule, Export, ListExport,
                        Verify, Measure>(command);
    case Work::Plan:
        return !isOneOf<AskProof, AskChanges, StopChanges, AskWithoutRule, ChooseBanks, Export,
                        ListExport, Verify, Measure>(command);
    case Work::Write:
    case Work::Try:
        return true;
    case Work::Export:
        return opens(command) || isOneOf<StopRun>(command);
    case Work::Verify:
    case Work::Measure:
        return !isOneOf<Pause, AskWhatIf, AskBeside, AskFile, AskHdlDifference, AskProof,
                        AskChanges, StopChanges, AskWithoutRule, ShowMemory, ChooseBanks, TryBanks,
                        ShowStream, SetThroughput, ChooseCircuit, PinOutputType, Export, ListExport,
                        Verify, Measure>(command);
    }
    return false;
}

Controller::Controller(Hooks hooks)
    : hooks_(std::move(hooks)),
      shared_{{}, defaultSetup(), {}, {}, hooks_.progress},
      designs_(shared_),
      differences_(hooks_.progress),
      memories_(shared_),
      streams_(shared_),
      hardware_(shared_, designs_, memories_, streams_),
      withoutRule_(shared_, designs_),
      changes_(shared_, designs_),
      tasks_{&designs_,  &files_,   &differences_, &memories_,
             &hardware_, &streams_, &withoutRule_, &changes_} {
    std::vector<std::string> switches = rules::ruleGroups();
    switches.emplace_back("sharing");
    ruleSwitches_ = std::move(switches);
}

// ---- commands ----

void Controller::handle(Ticket ticket, const Command& command, const std::stop_token& stop) {
    ENGINE_ASSERT(!job_, "commands wait for the job before them");
    doing_ = opens(command) ? "opening the file" : kInHand;
    if (!isOneOf<AskProof, AskChanges, ListExport>(command)) { // nobody asks for those by hand
        failure_.clear();
        unspoken_ = shared_.lean = false;
        hardware_.retry();
    }
    const std::string line = lineOf(command);
    shared_.note.clear();
    stopOpening_ = stop;
    const Status status = done(ticket, command);
    jobStopped_ = !status && stop.stop_requested();
    if (!job_) // first: a line that there is no memory for undoes nothing
        hooks_.acknowledge(ticket, status);
    if (status && !line.empty())
        shared_.log.add("$ " + line, LineKind::Command);
    if (status && !shared_.note.empty())
        shared_.log.add(shared_.note);
    if (!status)
        for (const Diagnostic& reason : status.error())
            shared_.log.addRefusal(reason);
    refreshArrays();
}

Status Controller::done(Ticket ticket, const Command& command) {
    before_ = Before{shared_.choices, memories_.memories(), streams_.streams(), shared_.setup};
    shared_.takesBack = true;
    const std::optional<Status> job = admitJob(ticket, command);
    Status status = job ? *job : apply(command);
    before_.reset();
    return status;
}

std::optional<Status> Controller::admitJob(Ticket ticket, const Command& command) {
    const auto admitted = [&](const auto& wanted, Status status) {
        if (status)
            job_ = Job{ticket, wanted};
        return status;
    };
    if (const auto* exported = std::get_if<Export>(&command))
        return admitted(*exported, hardware_.admit(*exported));
    if (const auto* verified = std::get_if<Verify>(&command))
        return admitted(*verified, hardware_.admit(*verified));
    if (const auto* measured = std::get_if<Measure>(&command))
        return admitted(*measured, designs_.hasProgram());
    return std::nullopt;
}

Status Controller::apply(const Command& command) {
    if (const auto status = applyHere(command))
        return *status;
    for (Task* const task : tasks_)
        if (const auto status = task->apply(command))
            return *status;
    ENGINE_ASSERT(false, "every command is one of the controller or of a task");
    return ok();
}

std::optional<Status> Controller::applyHere(const Command& command) {
    if (const auto* file = std::get_if<OpenFile>(&command)) {
        if (!isDesignFile(file->path))
            return openProgram(*file);
        const auto item = readHeldItem(file->path);
        if (!item)
            return item.error();
        return *item ? openHeld(**item) : openDesign(*file);
    }
    if (const auto* text = std::get_if<OpenText>(&command)) {
        Explorer next = designs_.explorer().successor();
        const Status status = next.openText(text->text, text->file, text->item, shared_.setup);
        return opened(std::move(next), status);
    }
    if (const auto* session = std::get_if<OpenSession>(&command))
        return openSession(*session);
    if (const auto* settings = std::get_if<ChangeSettings>(&command))
        return change(settings->settings);
    if (const auto* rules = std::get_if<SwitchRules>(&command))
        return change(withRules(shared_.choices.settings(), *rules));
    if (std::holds_alternative<Undo>(command))
        return travel(&ChoiceHistory::undo, &ChoiceHistory::redo);
    if (std::holds_alternative<Redo>(command))
        return travel(&ChoiceHistory::redo, &ChoiceHistory::undo);
    if (isOneOf<Pause, StopRun>(command) && settle(command))
        return ok();
    return std::nullopt;
}

/// What a pause or a stop ends before the search for a design.
bool Controller::settle(const Command& command) {
    if (jobStopped_ && isOneOf<StopRun>(command)) {
        shared_.note = "stopped";
        return true;
    }
    if (isOneOf<StopRun>(command) && (files_.settle() || differences_.settle())) {
        shared_.note = "stopped";
        return true;
    }
    return memories_.settle() || streams_.settle();
}

// ---- choices ----

Status Controller::change(const Settings& settings) {
    auto setup = makeSetup(settings, {});
    if (!setup)
        return setup.error();
    const Settings before = shared_.choices.settings();
    shared_.choices.change(settings);
    follow(before);
    const bool searched = designs_.searched();
    const Status used = designs_.use(*std::move(setup), before);
    return used && searched ? designs_.searchAgain() : used;
}

void Controller::follow(const Settings& before) {
    memories_.follow(before);
    streams_.follow(before);
}

Status Controller::travel(Status (ChoiceHistory::*there)(), Status (ChoiceHistory::*back)()) {
    const Settings before = shared_.choices.settings();
    const std::vector<design::Pin> pins = shared_.choices.pins();
    const std::optional<PickedDesign> picked = shared_.choices.picked();
    if (const Status moved = (shared_.choices.*there)(); !moved)
        return moved;
    if (shared_.choices.settings() == before) {
        follow(before);
        if (shared_.choices.pins() != pins)
            designs_.pinsChanged();
        else if (shared_.choices.picked() != picked)
            designs_.pickChanged();
        return ok();
    }
    auto setup = makeSetup(shared_.choices.settings(), {});
    if (!setup) { // a device file may have gone since
        (void)(shared_.choices.*back)();
        return setup.error();
    }
    follow(before);
    const bool searched = designs_.searched();
    const Status used = designs_.use(*std::move(setup), before);
    return used && searched ? designs_.searchAgain() : used;
}

/// The buffers of the design at hand are memories; without a program the shifted values of the
/// circuit at hand.
void Controller::refreshArrays() {
    const Explorer& explorer = designs_.explorer();
    const Streams& streams = streams_.streams();
    if (!explorer.loaded() && streams.any())
        return memories_.useCircuit(streams.items()[streams.current()]);
    const auto& design = explorer.found().design;
    if (!design || !designs_.changing())
        memories_.useDesign(design, explorer.program().get());
}

// ---- command lines ----

CommandContext Controller::context() const {
    const Explorer& explorer = designs_.explorer();
    CommandContext context{explorer.file(),
                           explorer.item(),
                           shared_.choices.settings(),
                           shared_.choices.pins(),
                           explorer.iterations().size(),
                           hardware_.exportedTo(),
                           Streams::deviceFor(shared_.setup.device)};
    for (const MemoryItem& item : memories_.memories().items())
        if (!item.options.empty())
            context.arrays[item.program->name] = item.options;
    context.stream = hardware_.stream({});
    context.foundBy = designs_.foundBy();
    return context;
}

std::string Controller::lineOf(const Command& command) const {
    if (onBuffer(command))
        return "";
    CommandContext applied = context();
    if (const auto* written = std::get_if<Export>(&command)) {
        applied.memory = hardware_.memory(written->item);
        applied.stream = hardware_.stream(written->item);
        if (const auto held = hardware_.held(written->item))
            applied.held = held->path;
    }
    return commandLine(command, applied);
}

bool Controller::onBuffer(const Command& command) const {
    const Memories& memories = memories_.memories();
    return std::visit(
        [&](const auto& c) {
            if constexpr (requires { memories.find(c.item)->buffer; } &&
                          !std::is_same_v<std::decay_t<decltype(c)>, OpenFile>) {
                const MemoryItem* item = memories.find(c.item);
                return item && item->buffer && item->options.empty();
            } else {
                return false;
            }
        },
        command);
}

// ---- snapshots ----

Snapshot Controller::snapshot(bool watched) {
    if (watched)
        designs_.watch();
    Snapshot snapshot;
    shared_.news = false;
    if (unspoken_)
        failure_ = {
            makeError("out-of-memory", std::string("this ran out of memory while ") + doing_)};
    unspoken_ = false;
    snapshot.failure = failure_;
    snapshot.phase = phase();
    snapshot.settings = shared_.choices.settings();
    snapshot.device = shared_.setup.device;
    snapshot.limits = shared_.setup.limits;
    snapshot.ruleSwitches = ruleSwitches_;
    snapshot.pins = shared_.choices.pins();
    snapshot.canUndo = shared_.choices.canUndo();
    snapshot.canRedo = shared_.choices.canRedo();
    for (Task* const task : tasks_)
        task->show(snapshot);
    if (const StreamItem* stream = hardware_.stream({}))
        snapshot.egraph = stream->states->egraph;
    snapshot.log = shared_.log.lines();
    return snapshot;
}

} // namespace marquetry::session
