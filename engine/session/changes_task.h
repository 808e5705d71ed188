// ChangesTask: which changes of the settings would be worth a try, of the design that a search has
// found — each of them explored in the background, when nothing else is to be done.
//
// While they are asked for (AskChanges) they are due whenever a search has come to its end. Any
// command comes first: a piece that it interrupts is done again. They are of the program, settings
// and pins, and of the design that was found with them; with these they are forgotten, and so is
// that somebody has stopped them (StopChanges). What has been tried is news at once.
// Errors: none; a change that has no design, or whose search fails, says why. Thread rule: belongs
// to one thread.
#pragma once

#include "engine/session/design_task.h"
#include "engine/session/next_changes.h"

#include <deque>

namespace marquetry::session {

class ChangesTask : public Task {
public:
    ChangesTask(TaskState& taskState, const DesignTask& designs)
        : shared_(taskState), designs_(designs) {}

    Due due() const override;
    void work(std::stop_token stop) override;
    /// Nobody waits for them: whoever wants them no more says so.
    bool settle() override { return false; }
    std::optional<Status> apply(const Command& command) override;
    void fail(const Diagnostic& reason) override;
    void giveUp() noexcept override;
    void show(Snapshot& snapshot) override;

private:
    bool current() const;
    void stop(bool stopped);
    void begin();
    void answer(NextChange tried);

    TaskState& shared_;
    const DesignTask& designs_;
    bool wanted_ = false;
    std::shared_ptr<const ir::Program> program_; ///< that the rest is of
    std::vector<design::Pin> pins_;
    std::shared_ptr<const design::Design> design_;
    std::shared_ptr<const design::Design> givenUp_; ///< whose changes there is no memory for
    std::shared_ptr<const NextChanges> changes_;
    std::deque<ChangeToTry> left_; ///< the first is under way
    std::optional<ChangeTrial> trial_;
};

} // namespace marquetry::session
