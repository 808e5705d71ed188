#include "engine/session/controller.h"

#include "engine/extract/problem.h"

namespace marquetry::session {

namespace {

/// Lines kept; older ones leave (their numbers show it).
constexpr std::size_t kMaxLog = 5000;

Diagnostic noProgram() {
    return makeError("no-program", "there is no program", "open one first");
}

template <class... Kinds>
bool isOneOf(const Command& command) {
    return (std::holds_alternative<Kinds>(command) || ...);
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
    case Work::Iterate:
        return isOneOf<OpenFile, OpenText, Pause, Stop>(command);
    case Work::Extract:
        return !isOneOf<AskProof, Export, Verify, Measure>(command);
    case Work::Plan:
        return !isOneOf<AskProof, ChooseBanks, Export, Verify, Measure>(command);
    case Work::Export:
        return isOneOf<OpenFile, OpenText, Stop>(command);
    case Work::Verify:
    case Work::Measure:
        return !isOneOf<Pause, AskWhatIf, AskProof, ShowMemory, ChooseBanks, TryBanks, ShowStream,
                        SetThroughput, ChooseCircuit, PinOutputType, Export, Verify, Measure>(
            command);
    }
    return false;
}

Controller::Controller(Hooks hooks) : hooks_(std::move(hooks)), setup_(defaultSetup()) {}

void Controller::handle(Ticket ticket, const Command& command) {
    ENGINE_ASSERT(!job_, "commands wait for the job before them");
    doing_ = isOneOf<OpenFile, OpenText>(command) ? "opening the file" : named(Work::None);
    if (!isOneOf<AskProof>(command)) { // nobody asks for those by hand
        failure_.clear();
        unspoken_ = lean_ = false;
    }
    const std::shared_ptr<const StreamItem> stream = streamAtHand();
    const std::shared_ptr<const MemoryItem> memory = memoryOf(command);
    CommandContext applied = context();
    applied.stream = stream.get();
    applied.memory = memory.get();
    const std::string line = onBuffer(command) ? "" : commandLine(command, applied);
    note_.clear();
    const Status status = done(ticket, command);
    jobStopped_ = false;
    if (!job_) // first: a line that there is no memory for undoes nothing
        hooks_.acknowledge(ticket, status);
    if (status && !line.empty())
        log("$ " + line);
    if (status && !note_.empty())
        log(note_);
    if (!status)
        for (const Diagnostic& diagnostic : status.error())
            log("not done: " + diagnostic.message + " [" + diagnostic.code + "]");
}

Status Controller::done(Ticket ticket, const Command& command) {
    before_ = Before{choices_, memories_, streams_, setup_};
    Status status = std::visit(
        [&](const auto& c) -> Status {
            if constexpr (requires { admit(c); }) {
                Status admitted = admit(c);
                if (admitted)
                    job_ = Job{ticket, c};
                return admitted;
            } else {
                return apply(c);
            }
        },
        command);
    before_.reset();
    return status;
}

// ---- opening ----

Status Controller::apply(const OpenFile& command) {
    Explorer next = explorer_.successor();
    const Status status = next.openFile(command.path, command.item, setup_);
    return opened(std::move(next), status);
}

Status Controller::apply(const OpenText& command) {
    Explorer next = explorer_.successor();
    const Status status = next.openText(command.text, command.file, command.item, setup_);
    return opened(std::move(next), status);
}

namespace {

std::string openedNote(const Explorer& opened, const Memories& memories, const Streams& streams,
                       const Status& status) {
    if (opened.loaded())
        return !status ? ""
                       : "opened " + opened.program()->name + ": " +
                             std::to_string(opened.lowered()->plan.layers.size()) + " layers, " +
                             std::to_string(opened.program()->macs()) + " multiply–accumulates";
    if (memories.any())
        return "opened " + std::to_string(memories.items().size()) + " memories";
    if (streams.any())
        return "opened " + std::to_string(streams.items().size()) + " streams";
    return "";
}

} // namespace

/// Pins stay when the same file comes again: its author is at work on it. What takes memory comes
/// first: without it the old file stays.
Status Controller::opened(Explorer next, const Status& status) {
    const bool same = next.file() == explorer_.file();
    Memories memories;
    memories.open(next.memories(), next.item());
    Streams streams;
    streams.open(next.streams(), next.item());
    if (same) {
        memories.setChoices(choices_.banks());
        streams.setChoices(choices_.streams());
    }
    note_ = openedNote(next, memories, streams, status);
    before_.reset();
    if (!same)
        choices_.clear();
    explorer_ = std::move(next);
    memories_ = std::move(memories);
    streams_ = std::move(streams);
    mode_ = status ? Mode::Loaded : Mode::Invalid;
    forgetSearch();
    buffersOf_.reset();
    arraysOf_ = {};
    exportedTo_.clear();
    exported_.reset();
    hdl_.reset();
    hdlOf_.reset();
    metrics_.reset();
    verify_ = {};
    return status;
}

void Controller::forgetSearch() {
    once_ = extractDue_ = quickDue_ = constraintsNew_ = partial_ = false;
    quickMilliseconds_ = 0;
    forgetAnswers();
}

// ---- saturation ----

Status Controller::apply(const Run&) {
    if (mode_ == Mode::Saturating && !once_)
        return makeError("already-running", "the e-graph is growing already");
    return saturateFrom(false);
}

Status Controller::apply(const Step&) {
    return saturateFrom(true);
}

Status Controller::saturateFrom(bool once) {
    if (explorer_.lost()) {
        if (const Status restarted = explorer_.restart(setup_); !restarted)
            return restarted;
        mode_ = Mode::Loaded;
    }
    if (!explorer_.loaded())
        return noProgram();
    if (explorer_.canIterate()) {
        explorer_.resume();
        forgetAnswers();
        mode_ = Mode::Saturating;
        once_ = once;
        extractDue_ = false;
        quickDue_ = constraintsNew_ && explorer_.found().design;
        return ok();
    }
    mode_ = Mode::Ready;
    if (!needsExtraction())
        return makeError("already-done", "the e-graph is saturated and its best design is found",
                         "change pins, limits or settings for another answer");
    extractDue_ = true;
    return ok();
}

Status Controller::apply(const Pause&) {
    if (endPlan())
        return ok();
    if (!explorer_.loaded())
        return noProgram();
    if (mode_ == Mode::Saturating) {
        mode_ = Mode::Paused;
        once_ = false;
        extractDue_ = needsExtraction();
        return ok();
    }
    if (endQuestion())
        return ok();
    if (!extractDue_)
        return makeError("not-running", "nothing is running that could pause");
    endExtraction();
    mode_ = Mode::Paused;
    return ok();
}

Status Controller::apply(const Stop&) {
    if (jobStopped_) {
        note_ = "stopped";
        return ok();
    }
    if (endPlan())
        return ok();
    if (!explorer_.loaded())
        return noProgram();
    if (endQuestion()) {
        note_ = "stopped";
        return ok();
    }
    if (mode_ == Mode::Ready && extractDue_) {
        endExtraction();
        note_ = "extraction stopped";
        return ok();
    }
    if (mode_ != Mode::Saturating && mode_ != Mode::Paused)
        return makeError("not-running", "nothing is running that could stop");
    if (explorer_.canIterate())
        explorer_.stopHere();
    mode_ = Mode::Ready;
    once_ = false;
    extractDue_ = needsExtraction();
    note_ = "stopped after " + std::to_string(explorer_.iterations().size()) + " iterations";
    return ok();
}

/// Nobody waits for the extraction any more: what it found so far counts, if anything.
void Controller::endExtraction() {
    extractDue_ = false;
    if (interrupted_ && interrupted_->design) {
        explorer_.adopt(*std::move(interrupted_));
        constraintsNew_ = false;
        partial_ = true;
        logDesign();
    } else if (constraintsNew_ ||
               (!explorer_.found().design && explorer_.found().infeasible.empty())) {
        explorer_.drop({makeWarning(
            "extraction-stopped", "extraction was stopped before it found a design", "run again")});
    }
    interrupted_.reset();
}

/// Nobody waits for another design beside the one at hand any more. True when somebody did.
bool Controller::endQuestion() {
    if (extractDue_ || !questionOpen())
        return false;
    chosen_.reset();
    proofOf_.reset();
    if (whatIf_ && whatIf_->running)
        whatIf_.reset();
    return true;
}

bool Controller::needsExtraction() const {
    return explorer_.outdated() || constraintsNew_ || partial_;
}

// ---- export and verify ----

Status Controller::memoryNamed(const std::string& item) const {
    if (!memories_.find(item))
        return makeError("memory-unknown", "there is no memory \"" + item + "\"");
    const bool coming =
        memories_.due() && memories_.items()[memories_.current()].program->name == item;
    if (exportedMemory(item) || coming)
        return ok();
    return makeError("memory-unplanned", "the banks of \"" + item + "\" are not known yet",
                     "show the item and wait for its plan");
}

Status Controller::hardwareAtHand(const std::string& item) const {
    if (!item.empty())
        return memoryNamed(item);
    if (exportedMemory({}) || (!explorer_.loaded() && memories_.due()))
        return ok();
    if (streamAtHand() || (!explorer_.loaded() && streams_.scheduling()))
        return ok();
    return designAtHand();
}

Status Controller::designAtHand() const {
    if (!explorer_.loaded())
        return noProgram();
    if (!explorer_.found().design && !extractDue_)
        return makeError("no-design", "there is no design yet", "run the exploration first");
    return ok();
}

Status Controller::admit(const Export& command) const {
    if (command.folder.empty())
        return makeError("export-folder", "the export has no folder to go to");
    return hardwareAtHand(command.item);
}

Status Controller::admit(const Verify& command) const {
    return command.folder.empty() ? hardwareAtHand(command.item) : ok();
}

Status Controller::admit(const Measure&) const {
    return explorer_.loaded() ? ok() : Status(noProgram());
}

void Controller::refuseJob(const Diagnostic& reason) {
    const Job job = *std::exchange(job_, std::nullopt);
    log("not done: " + reason.message + " [" + reason.code + "]");
    hooks_.acknowledge(job.ticket, reason);
}

void Controller::close() {
    if (job_)
        refuseJob(makeError("session-ended", "the session has ended"));
}

// ---- what the others need ----

CommandContext Controller::context() const {
    CommandContext context{explorer_.file(),
                           explorer_.item(),
                           choices_.settings(),
                           choices_.pins(),
                           explorer_.iterations().size(),
                           exportedTo_,
                           Streams::deviceFor(setup_.device)};
    for (const MemoryItem& item : memories_.items())
        if (!item.options.empty())
            context.arrays[item.program->name] = item.options;
    return context;
}

void Controller::log(std::string text) {
    log_.push_back({++logged_, std::move(text)});
    if (log_.size() > kMaxLog)
        log_.erase(log_.begin());
}

} // namespace marquetry::session
