// Failures: what becomes of commands and work that an exception ended.
//
// Commands change what they change at the end, so one that failed has changed nothing that anyone
// sees, or what comes first of it. Work ends as if its answer were "this ran out of memory": the
// file, the choices and every finished answer stay. The e-graph alone is lost when its growth
// fails, for nobody knows in which of its steps; it starts over from the program.
#include "engine/session/controller.h"

#include <limits>
#include <utility>

namespace marquetry::session {

const char* Controller::named(Work work) const {
    switch (work) {
    case Work::None:
        return "doing a command";
    case Work::Iterate:
        return "growing the e-graph";
    case Work::Extract:
        return "looking for a design";
    case Work::Plan:
        return memories_.due() ? "planning banks" : "looking for circuits";
    case Work::Export:
        return "exporting";
    case Work::Verify:
        return "verifying";
    case Work::Measure:
        return "measuring";
    }
    return "working";
}

void Controller::recover(const Diagnostic& reason) {
    const Work broken = std::exchange(working_, Work::None);
    extracting_.reset();
    jobStopped_ = false;
    failure_ = {reason};
    switch (broken) {
    case Work::None:
        restore();
        job_.reset(); // a command that came so far is refused as any other
        break;
    case Work::Iterate:
        loseEgraph();
        break;
    case Work::Extract:
        endFailedExtraction(reason);
        break;
    case Work::Plan:
        if (memories_.due())
            memories_.fail(reason);
        else
            streams_.fail(reason);
        break;
    case Work::Export:
    case Work::Verify:
    case Work::Measure:
        verify_.running = false;
        verify_.message = reason.message;
        job_.reset();
        break;
    }
    log("not done: " + reason.message + " [" + reason.code + "]");
}

/// As if the command in hand had not come.
void Controller::restore() noexcept {
    if (!before_)
        return;
    choices_ = std::move(before_->choices);
    memories_ = std::move(before_->memories);
    streams_ = std::move(before_->streams);
    setup_ = std::move(before_->setup);
    before_.reset();
}

/// Starts over from the program. Until that has been done there is no e-graph.
void Controller::loseEgraph() {
    explorer_.lose();
    view_.reset();
    forgetSearch();
    mode_ = Mode::Invalid;
    if (explorer_.restart(setup_))
        mode_ = Mode::Loaded;
}

void Controller::endFailedExtraction(const Diagnostic& reason) {
    const bool question = mode_ != Mode::Saturating && !extractDue_;
    if (!question) {
        extractDue_ = quickDue_ = false;
        interrupted_.reset();
        quickMilliseconds_ = std::numeric_limits<double>::max(); // not again on the way
        if (constraintsNew_ || !explorer_.found().design)
            explorer_.drop({reason});
        constraintsNew_ = false;
        partial_ = true; // another run looks again
        return;
    }
    if (chosen_) {
        chosen_.reset();
    } else if (whatIf_ && whatIf_->running) {
        whatIf_->running = false;
        whatIf_->infeasible = {reason};
    } else if (proofOf_) {
        LayerProof proof;
        proof.failure = {reason};
        proofs_[*std::exchange(proofOf_, std::nullopt)] =
            std::make_shared<const LayerProof>(std::move(proof));
    }
}

/// Without asking for memory: not even the words for it are there.
void Controller::giveUp() noexcept {
    working_ = Work::None;
    restore();
    unspoken_ = true;
    job_.reset();
    extracting_.reset();
    interrupted_.reset();
    chosen_.reset();
    whatIf_.reset();
    proofOf_.reset();
    once_ = extractDue_ = quickDue_ = jobStopped_ = false;
    verify_.running = false;
    memories_.giveUp();
    streams_.giveUp();
    hdl_.reset();
    hdlOf_.reset();
    view_.reset();
    if (!explorer_.loaded())
        return;
    explorer_.lose();
    mode_ = Mode::Invalid;
}

void Controller::snapshotFailed(const Diagnostic& reason) {
    lean_ = true;
    hdl_.reset();
    hdlOf_.reset();
    view_.reset();
    failure_ = {reason};
}

} // namespace marquetry::session
