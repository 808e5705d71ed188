#include "engine/session/controller.h"

#include <filesystem>

namespace marquetry::session {

namespace {

/// Designs of a growing e-graph are looked for while they cost less than this.
constexpr double kQuickMilliseconds = 200;
/// The first iterations change too much to be worth it.
constexpr std::size_t kFirstQuickIteration = 2;

std::string spoken(egraph::Outcome outcome) {
    switch (outcome) {
    case egraph::Outcome::Saturated:
        return "saturated";
    case egraph::Outcome::IterationLimit:
        return "iteration limit reached";
    case egraph::Outcome::NodeLimit:
        return "e-node limit reached";
    case egraph::Outcome::TimeLimit:
        return "time limit reached";
    case egraph::Outcome::MemoryLimit:
        return "memory limit reached";
    case egraph::Outcome::Cancelled:
        return "stopped";
    }
    return "";
}

std::string withoutFraction(double value) {
    return std::to_string(static_cast<std::int64_t>(value));
}

} // namespace

Work Controller::nextWork() const {
    if (extractDue_ || (questionOpen() && mode_ != Mode::Saturating))
        return Work::Extract;
    if (memories_.due() || streams_.scheduling())
        return Work::Plan;
    if (job_ && std::holds_alternative<Measure>(job_->command))
        return Work::Measure;
    if (job_)
        return std::holds_alternative<Export>(job_->command) ? Work::Export : Work::Verify;
    if (mode_ != Mode::Saturating)
        return streams_.due() ? Work::Plan : Work::None;
    return quickDue_ ? Work::Extract : Work::Iterate;
}

Work Controller::begin() {
    working_ = nextWork();
    doing_ = named(working_);
    return working_;
}

void Controller::work(std::stop_token stop) {
    switch (begin()) {
    case Work::None:
        break;
    case Work::Iterate:
        workIterate(std::move(stop));
        break;
    case Work::Extract:
        if (mode_ == Mode::Saturating)
            extractProvisionally(std::move(stop));
        else if (extractDue_)
            workExtract(std::move(stop));
        else
            workQuestion(std::move(stop));
        break;
    case Work::Plan:
        workPlan(std::move(stop));
        break;
    case Work::Export:
    case Work::Verify:
    case Work::Measure:
        workJob(std::move(stop));
        break;
    }
    extracting_.reset();
    working_ = Work::None;
}

// ---- saturation ----

void Controller::workIterate(std::stop_token stop) {
    const bool over = explorer_.iterate(stop);
    working_ = Work::None; // the e-graph is whole: what fails now are words
    if (stop.stop_requested() && explorer_.outcome() == egraph::Outcome::Cancelled) {
        explorer_.resume(); // whoever interrupted says what it means
        return;
    }
    if (over) {
        saturationEnded();
        return;
    }
    if (once_) {
        once_ = false;
        mode_ = Mode::Paused;
        extractDue_ = needsExtraction();
        return;
    }
    quickDue_ = watched_ && explorer_.iterations().size() >= kFirstQuickIteration &&
                explorer_.outdated() && quickMilliseconds_ < kQuickMilliseconds;
}

void Controller::saturationEnded() {
    mode_ = Mode::Ready;
    once_ = quickDue_ = false;
    extractDue_ = needsExtraction();
    const egraph::EGraph& egraph = *explorer_.lowered()->egraph;
    log(spoken(*explorer_.outcome()) + " after " + std::to_string(explorer_.iterations().size()) +
        " iterations: " + std::to_string(egraph.enodeCount()) + " e-nodes in " +
        std::to_string(egraph.eclassCount()) + " e-classes");
    if (!extractDue_)
        logDesign();
}

// ---- extraction ----

extract::ExtractParams Controller::extraction() {
    extract::ExtractParams params = setup_.extraction;
    params.pins = choices_.pins();
    params.progress = [this](const extract::ExtractProgress& now) {
        extracting_ = Extracting{now.seconds, now.poolsTried, now.cycles, now.lowerBound};
        hooks_.progress();
    };
    return params;
}

/// A design of the e-graph so far. That there is none says nothing: the e-graph still grows.
void Controller::extractProvisionally(std::stop_token stop) {
    quickDue_ = watched_ = false;
    extract::ExtractResult result = explorer_.search(extraction(), stop);
    quickMilliseconds_ = std::max(quickMilliseconds_, result.milliseconds);
    if (stop.stop_requested()) {
        quickDue_ = constraintsNew_ && explorer_.found().design; // it no longer meets the pins
        return;
    }
    if (result.design) {
        explorer_.adopt(std::move(result));
        constraintsNew_ = partial_ = false;
    } else if (constraintsNew_) {
        explorer_.drop({});
        constraintsNew_ = false;
    }
}

void Controller::workExtract(std::stop_token stop) {
    extract::ExtractResult result = explorer_.search(extraction(), stop);
    if (!stop.stop_requested()) {
        extractionEnded(std::move(result));
        return;
    }
    interrupted_ = std::move(result);
    if (job_)
        refuseJob(makeError("interrupted", "another command came before the design was found"));
}

void Controller::extractionEnded(extract::ExtractResult result) {
    extractDue_ = constraintsNew_ = partial_ = false;
    interrupted_.reset();
    explorer_.adopt(std::move(result));
    logDesign();
}

void Controller::logDesign() {
    working_ = Work::None; // it is done: what fails now are words
    const extract::ExtractResult& found = explorer_.found();
    if (found.design) {
        log("design: " + std::to_string(found.design->cycles) + " cycles, " +
            withoutFraction(found.design->resources.dsp) + " DSP, bound " +
            withoutFraction(found.lowerBound) + ", " + toString(found.status));
        return;
    }
    for (const Diagnostic& reason : found.infeasible)
        log("no design: " + reason.message + " [" + reason.code + "]");
}

// ---- metrics ----

std::pair<std::uint64_t, std::shared_ptr<const design::Design>> Controller::measuredState() const {
    return {explorer_.version(), explorer_.found().design};
}

Status Controller::run(const Measure&, std::stop_token stop) {
    const auto params = measureParams(setup_, explorer_.found(), choices_.settings().seed);
    auto metrics = extract::measure(*explorer_.lowered(), params, stop);
    if (!metrics.complete)
        return makeError("interrupted", "another command came before everything was measured");
    metrics_ = std::make_shared<const extract::Metrics>(std::move(metrics));
    metricsOf_ = measuredState();
    log("measured: " + metrics_->terms.terms + " terms, " + metrics_->normalForms +
        " normal forms, " + withoutFraction(metrics_->unitSets) +
        (metrics_->unitSetsExact ? "" : " or more") + " unit sets, density " +
        std::to_string(metrics_->density));
    return ok();
}

// ---- export and verify ----

void Controller::workJob(std::stop_token stop) {
    const Job job = *job_;
    const Status status =
        std::visit([&](const auto& command) { return run(command, stop); }, job.command);
    job_.reset();
    jobStopped_ = stop.stop_requested();
    if (!status)
        for (const Diagnostic& diagnostic : status.error())
            log("not done: " + diagnostic.message + " [" + diagnostic.code + "]");
    hooks_.acknowledge(job.ticket, status);
}

HardwareParams Controller::hardwareParams(const std::string& item) const {
    return {explorer_.found().design,
            explorer_.program(),
            explorer_.source(),
            choices_.settings().seed,
            streamAtHand(),
            exportedMemory(item),
            setup_.device};
}

Status Controller::run(const Export& command, std::stop_token stop) {
    if (const Status there = hardwareAtHand(command.item); !there)
        return there;
    const HardwareParams params = hardwareParams(command.item);
    if (const Status exportable = Hardware::exportable(params); !exportable)
        return exportable;
    const Status written = Hardware::exportTo(params, command.folder, command.target, stop);
    if (!written)
        return written;
    exportedTo_ = command.folder;
    exported_ = params.identity();
    log("exported to " + command.folder);
    return ok();
}

/// The folder asked for, the last export of this very hardware, or a temporary one.
Result<std::string> Controller::folderToVerify(const Verify& command, std::stop_token stop) {
    if (!command.folder.empty())
        return command.folder;
    if (const Status there = hardwareAtHand(command.item); !there)
        return there.error();
    const HardwareParams params = hardwareParams(command.item);
    if (exported_ && exported_ == params.identity())
        return exportedTo_;
    if (const Status exportable = Hardware::exportable(params); !exportable)
        return exportable.error();
    return hardware_.exportTemporarily(params, std::move(stop));
}

Status Controller::run(const Verify& command, std::stop_token stop) {
    verify_ = {};
    verify_.running = true;
    verify_.item = command.item;
    verify_.simulator = command.simulator;
    verify_.message = "writing the hardware";
    hooks_.progress();
    const auto folder = folderToVerify(command, stop);
    if (!folder) {
        verify_.running = false;
        verify_.message = folder.error().front().message;
        return folder.error();
    }
    const Status done = hardware_.verify(
        {*folder, command}, verify_, [this] { hooks_.progress(); }, stop);
    log(done ? "verify: " + verify_.message : "verify: not done");
    return done;
}

} // namespace marquetry::session
