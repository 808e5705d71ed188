#include "engine/session/design_task.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace marquetry::session {

// ---- files and settings ----

void DesignTask::open(Explorer next, bool valid) {
    explorer_ = std::move(next);
    mode_ = valid ? Mode::Loaded : Mode::Invalid;
    forgetSearch();
    metrics_.reset();
}

void DesignTask::forgetSearch() noexcept {
    extractDue_ = false;
    found_ = Found::Current;
    onTheWayMilliseconds_ = 0;
    chosen_.reset();
    best_.reset();
    pickAwaited_ = shared_.choices.picked().has_value();
    ledger_.reset();
    timetable_.reset();
    ledgerOf_.reset();
    iterations_ = {};
    terms_ = {};
    rules_ = {};
    forgetAnswers();
}

/// Answers to questions that were asked under other constraints.
void DesignTask::forgetAnswers() noexcept {
    interrupted_.reset();
    questions_.forget();
}

Status DesignTask::use(Setup setup, const Settings& before) {
    const Settings& now = shared_.choices.settings();
    Settings sameAnswer = now; // but for how long to look for it
    sameAnswer.seed = before.seed;
    sameAnswer.seconds = before.seconds;
    sameAnswer.maxIterations = before.maxIterations;
    sameAnswer.maxEnodes = before.maxEnodes;
    const bool unproven = explorer_.found().design && explorer_.found().gap > 0;
    const bool extractAgain = sameAnswer != before || (unproven && now.seconds > before.seconds);
    const bool lowerAgain = loaded() && changesEgraph(*explorer_.lowered(), shared_.setup, setup);
    if (lowerAgain)
        return startOver(std::move(setup));
    shared_.setup = std::move(setup);
    if (!loaded())
        return ok();
    explorer_.setLimits(shared_.setup);
    if (extractAgain)
        pinsChanged();
    pickChanged();
    return ok();
}

Status DesignTask::startOver(Setup setup) {
    shared_.note = "the settings need another e-graph: starting over";
    Status restarted = explorer_.restart(setup);
    shared_.commit(); // the old e-graph is gone
    shared_.setup = std::move(setup);
    forgetSearch();
    if (!restarted)
        mode_ = Mode::Invalid;
    else if (saturating())
        mode_ = Mode::Saturating;
    else
        mode_ = Mode::Loaded;
    return restarted;
}

Status DesignTask::searchAgain() {
    return mode_ == Mode::Loaded ? saturate(Mode::Saturating) : ok();
}

void DesignTask::pinsChanged() {
    if (!loaded() || mode_ == Mode::Loaded)
        return;
    found_ = Found::Outdated;
    forgetAnswers();
    pickAwaited_ = shared_.choices.picked().has_value();
    extractDue_ = !saturating() || explorer_.found().design;
}

// ---- commands ----

std::optional<Status> DesignTask::apply(const Command& command) {
    if (std::holds_alternative<Run>(command))
        return run();
    if (std::holds_alternative<StepOnce>(command))
        return saturate(Mode::Stepping);
    if (std::holds_alternative<Pause>(command))
        return pause();
    if (std::holds_alternative<StopRun>(command))
        return stop();
    if (const auto* add = std::get_if<AddPin>(&command))
        return changePins(shared_.choices.add(add->pin));
    if (const auto* remove = std::get_if<RemovePin>(&command))
        return changePins(shared_.choices.remove(remove->id));
    if (const auto* enable = std::get_if<EnablePin>(&command))
        return changePins(shared_.choices.enable(enable->id, enable->enabled));
    const auto* point = std::get_if<ChoosePoint>(&command);
    const auto* what = std::get_if<AskWhatIf>(&command);
    const auto* beside = std::get_if<AskBeside>(&command);
    const auto* why = std::get_if<AskProof>(&command);
    if (!point && !what && !beside && !why)
        return std::nullopt;
    const bool drops = (what && !what->pin) || (beside && !beside->point);
    if (const Status rest = drops ? ok() : hasDesignAtRest(); !rest)
        return rest;
    if (point)
        return choosePoint(point->point);
    if (why)
        return questions_.prove(why->layer, *explorer_.lowered());
    if (beside)
        return questions_.compare(beside->point, explorer_.found());
    questions_.ask(what->pin);
    return ok();
}

Status DesignTask::changePins(const Status& changed) {
    if (changed)
        pinsChanged();
    return changed;
}

Status DesignTask::run() {
    if (mode_ == Mode::Saturating)
        return makeError("already-running", "the e-graph is growing already");
    return saturate(Mode::Saturating);
}

Status DesignTask::saturate(Mode mode) {
    if (explorer_.lost()) {
        if (const Status restarted = explorer_.restart(shared_.setup); !restarted)
            return restarted;
        mode_ = Mode::Loaded;
    }
    if (const Status there = hasProgram(); !there)
        return there;
    if (explorer_.canIterate()) {
        leavePick();
        explorer_.resume();
        forgetAnswers();
        mode_ = mode;
        extractDue_ = found_ == Found::Outdated && explorer_.found().design;
        return ok();
    }
    mode_ = Mode::Ready;
    const bool pickMissing = shared_.choices.picked() && !pickAtHand();
    if (!needsExtraction() && pickMissing) {
        pickAgain();
        return ok();
    }
    if (!needsExtraction())
        return makeError("already-done", "the e-graph is saturated and its best design is found",
                         "change pins, limits or settings for another answer");
    leavePick();
    extractDue_ = true;
    return ok();
}

Status DesignTask::pause() {
    if (const Status there = hasProgram(); !there)
        return there;
    if (saturating()) {
        mode_ = Mode::Paused;
        extractDue_ = needsExtraction();
        return ok();
    }
    const bool extraction = extractDue_;
    if (!settle())
        return makeError("not-running", "nothing is running that could pause");
    if (extraction)
        mode_ = Mode::Paused;
    return ok();
}

Status DesignTask::stop() {
    if (const Status there = hasProgram(); !there)
        return there;
    const bool paused = mode_ == Mode::Paused && extractDue_;
    const bool extraction = extractDue_;
    if (!saturating() && !paused && settle()) {
        shared_.note = extraction ? "extraction stopped" : "stopped";
        return ok();
    }
    if (!saturating() && mode_ != Mode::Paused)
        return makeError("not-running", "nothing is running that could stop");
    if (explorer_.canIterate())
        explorer_.stopHere();
    mode_ = Mode::Ready;
    extractDue_ = needsExtraction();
    shared_.note = "stopped after " + std::to_string(explorer_.iterations().size()) + " iterations";
    return ok();
}

/// Nobody waits for another design any more, as the current one or beside it.
bool DesignTask::settle() {
    if (saturating())
        return false;
    if (extractDue_) {
        settleExtraction();
        return true;
    }
    const bool open = questions_.open();
    const bool unpicks = questions_.choosing() && !pickAwaited_;
    questions_.drop();
    if (unpicks)
        dropPick();
    return open;
}

void DesignTask::settleExtraction() {
    if (interrupted_ && interrupted_->design) {
        adopt(*std::move(interrupted_));
        found_ = Found::Partial;
        logDesign();
    } else if (found_ == Found::Outdated ||
               (!explorer_.found().design && explorer_.found().infeasible.empty())) {
        explorer_.drop({makeWarning(
            "extraction-stopped", "extraction was stopped before it found a design", "run again")});
    }
    extractDue_ = false;
    interrupted_.reset();
}

// ---- what there is ----

bool DesignTask::needsExtraction() const {
    return explorer_.outdated() || found_ != Found::Current;
}

Status DesignTask::hasProgram() const {
    return loaded() ? ok()
                    : Status(makeError("no-program", "there is no program", "open one first"));
}

Status DesignTask::hasDesign() const {
    if (const Status there = hasProgram(); !there)
        return there;
    const bool coming = extractDue_ && !saturating();
    if (!explorer_.found().design && !coming)
        return makeError("no-design", "there is no design yet", "run the exploration first");
    return ok();
}

/// Of a point of the front the fastest design within its resources is that point.
DesignToBuild DesignTask::hardware() const {
    DesignToBuild hardware{explorer_.found().design,
                           explorer_.program(),
                           explorer_.source(),
                           {shared_.choices.settings(), shared_.choices.pins()},
                           {}};
    if (loaded())
        hardware.circuits = explorer_.streamCircuits();
    if (pickAtHand()) {
        hardware.choices.settings =
            fastestOf(hardware.choices.settings, chosen_->resources, chosen_->frames);
    }
    return hardware;
}

namespace {

/// Whether nothing but the number of iterations decided what the e-graph is. One that ended with a
/// limit of e-nodes ended within, at the same place every time.
bool isWhole(const Explorer& explorer, const Settings& settings) {
    const std::vector<egraph::Iteration>& iterations = explorer.iterations();
    const bool full = explorer.outcome() == egraph::StopReason::NodeLimit;
    const auto partial = std::ranges::find(iterations, false, &egraph::Iteration::complete);
    if (!full)
        return partial == iterations.end();
    return settings.maxEnodes == Settings().maxEnodes && iterations.end() - partial <= 1;
}

} // namespace

FoundBy DesignTask::foundBy() const {
    const extract::ExtractResult& found = explorer_.found();
    if (pickAtHand())
        return FoundBy::Choice;
    const Settings& settings = shared_.choices.settings();
    if (found_ != Found::Current || explorer_.outdated() || found.outOfTime ||
        !isWhole(explorer_, settings))
        return FoundBy::Part;
    const auto steps = explorer_.iterations().size();
    const auto& outcome = explorer_.outcome();
    const bool ended = outcome == egraph::StopReason::Saturated ||
                       outcome == egraph::StopReason::NodeLimit ||
                       (outcome == egraph::StopReason::IterationLimit &&
                        std::cmp_equal(steps, settings.maxIterations));
    return ended ? FoundBy::Search : FoundBy::Steps;
}

bool DesignTask::ended() const {
    return searchOver() && !extractDue_ && best().design;
}

/// There is a design, and no search that goes on may replace it.
Status DesignTask::hasDesignAtRest() const {
    if (saturating())
        return makeError("running", "the e-graph is growing: its designs come and go",
                         "pause or stop first");
    return hasDesign();
}

Phase DesignTask::phase() const {
    switch (mode_) {
    case Mode::Empty:
        return Phase::Empty;
    case Mode::Invalid:
        return Phase::Invalid;
    case Mode::Loaded:
        return Phase::Loaded;
    case Mode::Stepping:
    case Mode::Saturating:
        return Phase::Saturating;
    case Mode::Paused:
        return Phase::Paused;
    case Mode::Ready:
        return Phase::Ready;
    }
    return Phase::Empty;
}

// ---- snapshots ----

void DesignTask::dropPictures() noexcept {
    view_.reset();
}

void DesignTask::show(Snapshot& snapshot) {
    snapshot.file = explorer_.file();
    snapshot.item = explorer_.item();
    snapshot.source = explorer_.source();
    snapshot.program = explorer_.program();
    snapshot.diagnostics = explorer_.diagnostics();
    if (loaded())
        showEgraph(snapshot);
    snapshot.metrics = metrics_;
    snapshot.metricsOutdated = metrics_ && metricsOf_ != measuredState();
    snapshot.outcome = explorer_.outcome();
    showFound(snapshot);
    snapshot.extracting = extracting_;
    questions_.show(snapshot);
}

void DesignTask::showEgraph(Snapshot& snapshot) {
    const rules::Lowered& lowered = *explorer_.lowered();
    if (!shared_.lean && (!view_ || viewOf_ != explorer_.version())) {
        view_ = lowered.egraph->view();
        viewOf_ = explorer_.version();
    }
    snapshot.egraph = view_;
    if (rules_.names.size() != lowered.rewrites.size())
        rules_ = shownRules(lowered, shared_.choices.settings().without);
    snapshot.ruleNames = rules_.names;
    snapshot.ruleGroups = rules_.groups;
    snapshot.ruleTexts = rules_.texts;
    // Both only grow until the search is forgotten.
    if (iterations_.size() != explorer_.iterations().size())
        iterations_ = explorer_.iterations();
    if (terms_.size() != explorer_.terms().size())
        terms_ = explorer_.terms();
    snapshot.iterations = iterations_;
    snapshot.terms = terms_;
}

void DesignTask::showFound(Snapshot& snapshot) const {
    const auto& found = explorer_.sharedFound();
    snapshot.design = found->design;
    if (found->design && found->design == ledgerOf_) {
        snapshot.ledger = ledger_;
        snapshot.timetable = timetable_;
    }
    snapshot.foundBy = foundBy();
    snapshot.picked = shared_.choices.picked();
    snapshot.points = SharedList<design::DesignPoint>({found, &found->points});
    snapshot.lowerBound = static_cast<std::int64_t>(std::llround(found->lowerBound));
    snapshot.gap = found->gap;
    snapshot.infeasible = found->infeasible;
    snapshot.alternatives = decltype(snapshot.alternatives)({found, &found->alternatives});
}

} // namespace marquetry::session
