// An exploration on its way, piece by piece, with nobody watching: the task of a session
// (design_task.h) on choices of its own.
//
// Errors of begin: those of makeSetup() and lower(). Cancel: through the stop_token, within 50 ms
// of work. Thread rule: belongs to one thread.
#pragma once

#include "engine/session/design_task.h"

#include <functional>
#include <memory>

namespace marquetry::session {

class Exploring {
public:
    /// `progress` is called within long work.
    static Result<std::unique_ptr<Exploring>> begin(
        std::shared_ptr<const ir::Program> program, const Settings& settings,
        const std::vector<design::Pin>& pins, std::function<void()> progress = [] {});

    bool over() const { return task_.due().work == Work::None; }
    /// An iteration or an extraction; one that was stopped is due again.
    void work(std::stop_token stop) { task_.work(std::move(stop)); }
    /// To its end. A stop ends first the growth of the e-graph, then the extraction, as it does in
    /// a session: what was found so far is the answer.
    void workToTheEnd(const std::stop_token& stop);

    const Setup& setup() const { return state_.setup; }
    DesignTask& task() { return task_; }
    const DesignTask& task() const { return task_; }
    double saturateMs() const { return saturateMs_; }

private:
    Exploring(ChoiceHistory choices, Setup setup, std::function<void()> progress)
        : state_{std::move(choices), std::move(setup), {}, {}, std::move(progress)},
          task_(state_, DesignTask::Audience::None) {}

    TaskState state_;
    DesignTask task_;
    double saturateMs_ = 0;
};

} // namespace marquetry::session
