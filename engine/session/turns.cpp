// The controller's turns: whose work comes next, jobs, and what becomes of work that failed.
//
// Commands change what they change at the end, so one that failed has changed nothing that anyone
// sees, or what comes first of it. Work ends as if its answer were "this ran out of memory": the
// file, the choices and every finished answer stay.
#include "engine/session/controller.h"

#include <new>
#include <utility>

namespace marquetry::session {

Controller::Turn Controller::next(bool withQuiet) const {
    for (Task* const task : tasks_)
        if (const Due due = task->due(); due.awaited && (withQuiet || !due.quiet))
            return {task, due};
    if (job_)
        return {nullptr, jobDue()};
    for (Task* const task : tasks_)
        if (const Due due = task->due();
            due.work != Work::None && !due.awaited && (withQuiet || !due.quiet))
            return {task, due};
    return {};
}

Due Controller::jobDue() const {
    if (std::holds_alternative<Measure>(job_->command))
        return {Work::Measure, false, false, "measuring", ""};
    if (std::holds_alternative<Export>(job_->command))
        return {Work::Export, false, false, "exporting", ""};
    return {Work::Verify, false, false, "verifying", ""};
}

Phase Controller::phase() const {
    if (opening_)
        return Phase::Opening;
    switch (next(false).due.work) {
    case Work::None:
    case Work::Open:
    case Work::Iterate:
        return designs_.phase();
    case Work::Extract:
        return designs_.phase() == Phase::Saturating ? Phase::Saturating : Phase::Extracting;
    case Work::Plan:
        return Phase::Planning;
    case Work::Write:
        return Phase::Writing;
    case Work::Export:
        return Phase::Exporting;
    case Work::Verify:
        return Phase::Verifying;
    case Work::Measure:
        return Phase::Measuring;
    case Work::Try: // quiet
        break;
    }
    return designs_.phase();
}

Work Controller::begin() {
    turn_ = next();
    shared_.underWay = turn_.due.work != Work::None;
    if (shared_.underWay)
        doing_ = turn_.due.doing;
    return turn_.due.work;
}

void Controller::work(std::stop_token stop) {
    if (begin() == Work::None)
        return;
    if (!turn_.task) {
        workJob(std::move(stop));
    } else {
        turn_.task->work(stop);
        // The job behind it would keep the command that interrupted it waiting.
        if (stop.stop_requested() && job_)
            refuseJob(makeError("interrupted",
                                std::string("another command came before ") + turn_.due.answer));
    }
    shared_.settled();
    refreshArrays();
}

// ---- jobs ----

void Controller::workJob(std::stop_token stop) {
    const Job job = *job_;
    Status status = ok();
    if (const auto* exported = std::get_if<Export>(&job.command))
        status = hardware_.run(*exported, stop);
    else if (const auto* verified = std::get_if<Verify>(&job.command))
        status = hardware_.run(*verified, stop);
    else
        status = designs_.measure(stop);
    job_.reset();
    jobStopped_ = stop.stop_requested();
    if (!status)
        for (const Diagnostic& reason : status.error())
            shared_.log.addRefusal(reason);
    hooks_.acknowledge(job.ticket, status);
}

void Controller::refuseJob(const Diagnostic& reason) {
    const Job job = *std::exchange(job_, std::nullopt);
    shared_.log.addRefusal(reason);
    hooks_.acknowledge(job.ticket, reason);
}

void Controller::close() {
    if (job_)
        refuseJob(makeError("session-ended", "the session has ended"));
}

// ---- failures ----

void Controller::recover(const Diagnostic& reason) {
    const bool ofWork = std::exchange(shared_.underWay, false);
    jobStopped_ = opening_ = false;
    failure_ = {reason};
    if (!ofWork) {
        takeBack();
        job_.reset(); // a command that came so far is refused as any other
    } else if (turn_.task) {
        turn_.task->fail(reason);
    } else {
        if (turn_.due.work != Work::Measure)
            hardware_.failJob(reason);
        job_.reset();
    }
    shared_.log.addRefusal(reason);
    try {
        refreshArrays();
    } catch (const std::bad_alloc&) { // the next command or work does it
    }
}

/// As if the command in hand had not come.
void Controller::takeBack() noexcept {
    if (before_ && shared_.takesBack) {
        shared_.choices = std::move(before_->choices);
        memories_.takeBack(std::move(before_->memories));
        streams_.takeBack(std::move(before_->streams));
        shared_.setup = std::move(before_->setup);
    }
    before_.reset();
}

/// Without asking for memory: not even the words for it are there.
void Controller::giveUp() noexcept {
    shared_.underWay = opening_ = false;
    takeBack();
    unspoken_ = true;
    job_.reset();
    jobStopped_ = false;
    for (Task* const task : tasks_)
        task->giveUp();
}

void Controller::snapshotFailed(const Diagnostic& reason) {
    shared_.lean = true;
    designs_.dropPictures();
    hardware_.dropText();
    failure_ = {reason};
}

} // namespace marquetry::session
