// The work of a DesignTask: iterations, extractions, answers and measures.
#include "engine/session/design_task.h"

#include "engine/design/make_ledger.h"
#include "engine/design/make_timetable.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace marquetry::session {

namespace {

/// Designs of a growing e-graph are looked for while they cost less than this.
constexpr double kOnTheWayMilliseconds = 200;
/// The e-graph waits no longer than this for one, which then is the best found so far.
constexpr double kOnTheWaySeconds = 0.5;
/// The first iterations change too much to be worth it.
constexpr std::size_t kFirstIterationWithDesign = 2;

std::string spoken(egraph::StopReason outcome) {
    switch (outcome) {
    case egraph::StopReason::Saturated:
        return "saturated";
    case egraph::StopReason::IterationLimit:
        return "iteration limit reached";
    case egraph::StopReason::NodeLimit:
        return "e-node limit reached";
    case egraph::StopReason::TimeLimit:
        return "time limit reached";
    case egraph::StopReason::MemoryLimit:
        return "memory limit reached";
    case egraph::StopReason::Cancelled:
        return "stopped";
    }
    return "";
}

std::string withoutFraction(double value) {
    return std::to_string(static_cast<std::int64_t>(value));
}

/// What the designs of an e-graph have in common.
std::string formOf(const rules::Menu& menu) {
    std::string form = "words of " + std::to_string(menu.lanes) + " elements";
    if (menu.groupedChannels > 0)
        form += " with depth-wise convolutions of at most " + std::to_string(menu.groupedChannels) +
                " channels in groups";
    return form;
}

/// An extraction under way is over, also when it throws.
struct Ended {
    std::optional<Extracting>& extracting;
    ~Ended() { extracting.reset(); }
};

} // namespace

Due DesignTask::due() const {
    const char* const search = "looking for a design";
    if (saturating() && !extractDue_)
        return {Work::Iterate, false, false, "growing the e-graph", ""};
    if (extractDue_)
        return {Work::Extract, !saturating(), false, search, "the design was found"};
    if (questions_.open())
        return {Work::Extract, true, questions_.onlyProof(), search, "the answer was found"};
    return {};
}

void DesignTask::work(std::stop_token stop) {
    const Ended ended{extracting_};
    working_ = due().work;
    if (working_ == Work::Iterate)
        iterate(std::move(stop));
    else if (saturating())
        searchOnTheWay(std::move(stop));
    else if (extractDue_)
        search(std::move(stop));
    else
        answer(std::move(stop));
}

// ---- saturation ----

void DesignTask::iterate(std::stop_token stop) {
    const bool over = explorer_.iterate(stop);
    if (audience_ == Audience::Watching)
        explorer_.countTerms(stop);
    shared_.settled(); // the e-graph is whole
    if (stop.stop_requested() && explorer_.outcome() == egraph::StopReason::Cancelled) {
        explorer_.resume(); // whoever interrupted says what it means
        return;
    }
    if (over) {
        saturated();
        return;
    }
    if (mode_ == Mode::Stepping) {
        mode_ = Mode::Paused;
        extractDue_ = needsExtraction();
        return;
    }
    extractDue_ = watched_ && explorer_.iterations().size() >= kFirstIterationWithDesign &&
                  explorer_.outdated() && onTheWayMilliseconds_ < kOnTheWayMilliseconds;
}

void DesignTask::saturated() {
    mode_ = Mode::Ready;
    extractDue_ = needsExtraction();
    const egraph::EGraph& egraph = *explorer_.lowered()->egraph;
    shared_.log.add(spoken(*explorer_.outcome()) + " after " +
                    std::to_string(explorer_.iterations().size()) +
                    " iterations: " + std::to_string(egraph.enodeCount()) + " e-nodes in " +
                    std::to_string(egraph.eclassCount()) + " e-classes");
    if (extractDue_)
        return;
    logDesign();
    pickAgain();
}

// ---- extraction ----

extract::ExtractParams DesignTask::extraction() {
    extract::ExtractParams params = shared_.setup.extraction;
    params.pins = shared_.choices.pins();
    params.progress = [this](const extract::ExtractProgress& now) {
        extracting_ = Extracting{now.seconds, now.poolsTried, now.cycles, now.lowerBound};
        shared_.progress();
    };
    return params;
}

extract::ExtractResult DesignTask::extracted(std::stop_token stop) {
    extract::ExtractParams params = extraction();
    if (saturating())
        params.seconds = std::min(params.seconds, kOnTheWaySeconds);
    auto result = saturating() ? explorer_.searchHere(params, std::move(stop))
                               : explorer_.search(params, std::move(stop));
    mistakes_ = result ? Diagnostics() : result.error();
    if (result)
        return *std::move(result);
    extract::ExtractResult none;
    none.infeasible = mistakes_;
    return none;
}

/// A design of the e-graph so far. That there is none says nothing: the e-graph still grows.
void DesignTask::searchOnTheWay(std::stop_token stop) {
    extractDue_ = watched_ = false;
    extract::ExtractResult result = extracted(stop);
    onTheWayMilliseconds_ = std::max(onTheWayMilliseconds_, result.milliseconds);
    const bool outdated = found_ == Found::Outdated;
    if (stop.stop_requested()) {
        extractDue_ = outdated && explorer_.found().design; // it no longer meets the pins
        return;
    }
    if (result.design) {
        // A bound of what the e-graph has grown to so far is none of what it will hold.
        result.status = extract::ExtractStatus::Feasible;
        result.lowerBound = 0;
        result.gap = 1;
        adopt(std::move(result));
        found_ = Found::OfOneWidth;
    } else if (outdated) {
        explorer_.drop({});
        found_ = Found::OfOneWidth;
    }
}

void DesignTask::search(std::stop_token stop) {
    extract::ExtractResult result = extracted(stop);
    if (stop.stop_requested()) {
        interrupted_ = std::move(result);
        return;
    }
    adopt(std::move(result));
    extractDue_ = false;
    found_ = Found::Current;
    interrupted_.reset();
    logDesign();
    pickAgain();
}

void DesignTask::answer(std::stop_token stop) {
    auto wanted = questions_.work(explorer_, extraction(), std::move(stop));
    if (!wanted)
        return;
    if (!*wanted) {
        shared_.log.add("no design: " + wanted->error().front().message);
        dropPick();
        return;
    }
    auto best = pickAtHand() ? best_ : explorer_.sharedFound();
    adopt(**std::move(wanted));
    best_ = std::move(best);
    chosen_ = explorer_.found().design;
    chosenName_ = shared_.choices.picked();
    pickAwaited_ = pickAwaited_ && !searchOver();
    logDesign();
}

/// The e-graph may be another one then, that of the design's form.
void DesignTask::adopt(extract::ExtractResult result) {
    const std::string was = formOf(explorer_.lowered()->menu);
    const std::shared_ptr<const design::Design> design = result.design;
    std::shared_ptr<const design::Ledger> ledger;
    std::shared_ptr<const design::Timetable> timetable;
    if (design) {
        ledger = std::make_shared<const design::Ledger>(
            design::makeLedger(*design, shared_.setup.device, shared_.setup.limits));
        timetable = std::make_shared<const design::Timetable>(design::makeTimetable(*design));
    }
    explorer_.adopt(std::move(result));
    best_.reset();
    ledger_ = std::move(ledger);
    timetable_ = std::move(timetable);
    ledgerOf_ = design;
    const std::string is = formOf(explorer_.lowered()->menu);
    if (is == was)
        return;
    iterations_ = {};
    terms_ = {};
    rules_ = {};
    shared_.log.add(is + " are better than " + was + ": the e-graph is theirs");
}

void DesignTask::logDesign() {
    shared_.settled();
    const extract::ExtractResult& found = explorer_.found();
    if (found.design) {
        shared_.log.add("design: " + std::to_string(found.design->cycles) + " cycles, " +
                        withoutFraction(found.design->resources.dsp) + " DSP, bound " +
                        withoutFraction(found.lowerBound) + ", " + toString(found.status));
        return;
    }
    for (const Diagnostic& reason : found.infeasible)
        shared_.log.addReason("no design", reason);
}

// ---- measures ----

std::pair<std::uint64_t, std::shared_ptr<const design::Design>> DesignTask::measuredState() const {
    return {explorer_.version(), explorer_.found().design};
}

Status DesignTask::measure(std::stop_token stop) {
    const auto params =
        measureParams(shared_.setup, explorer_.found(), shared_.choices.settings().seed);
    auto metrics = extract::measure(*explorer_.lowered(), params, std::move(stop));
    if (!metrics.complete)
        return makeError("interrupted", "another command came before everything was measured");
    metrics_ = std::make_shared<const extract::Metrics>(std::move(metrics));
    metricsOf_ = measuredState();
    shared_.log.add("measured: " + metrics_->terms.terms + " terms, " + metrics_->normalForms +
                    " normal forms, " + withoutFraction(metrics_->unitSets) +
                    (metrics_->unitSetsExact ? "" : " or more") + " unit sets, density " +
                    std::to_string(metrics_->density));
    return ok();
}

// ---- failures ----

void DesignTask::fail(const Diagnostic& reason) {
    if (working_ == Work::Iterate)
        loseEgraph();
    else if (extractDue_ || saturating())
        failExtraction(reason);
    else
        failQuestion(reason);
}

void DesignTask::failQuestion(const Diagnostic& reason) {
    if (questions_.choosing())
        dropPick();
    questions_.fail(reason);
}

/// Starts over from the program. Until that has been done there is no e-graph.
void DesignTask::loseEgraph() {
    explorer_.lose();
    view_.reset();
    forgetSearch();
    mode_ = Mode::Invalid;
    if (explorer_.restart(shared_.setup))
        mode_ = Mode::Loaded;
}

void DesignTask::failExtraction(const Diagnostic& reason) {
    extractDue_ = false;
    interrupted_.reset();
    onTheWayMilliseconds_ = std::numeric_limits<double>::max(); // not again on the way
    if (found_ == Found::Outdated || !explorer_.found().design)
        explorer_.drop({reason});
    found_ = Found::Partial; // another run looks again
}

void DesignTask::giveUp() noexcept {
    extractDue_ = false;
    forgetAnswers();
    if (mode_ == Mode::Stepping)
        mode_ = Mode::Saturating;
    view_.reset();
    iterations_ = {};
    terms_ = {};
    rules_ = {};
    if (!loaded())
        return;
    explorer_.lose();
    mode_ = Mode::Invalid;
}

} // namespace marquetry::session
