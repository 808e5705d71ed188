// WithoutRuleTask: what the best design would be without one rewrite rule, of the design that a
// search has found — explored in the background, with nothing else changed.
//
// It is asked for (AskWithoutRule) of a search that has come to its end. Any command comes first: a
// piece that it interrupts is done again. The answer is of the program, settings, pins and search;
// with any of these it is forgotten.
// Errors: rule-unknown, and those of a session without a design at rest. A search that has no
// design, or that fails, is an answer that says why. Thread rule: belongs to one thread.
#pragma once

#include "engine/session/design_task.h"
#include "engine/session/next_changes.h"

namespace marquetry::session {

class WithoutRuleTask : public Task {
public:
    WithoutRuleTask(TaskState& taskState, const DesignTask& designs)
        : shared_(taskState), designs_(designs) {}

    Due due() const override;
    void work(std::stop_token stop) override;
    /// Nobody waits for it.
    bool settle() override { return false; }
    std::optional<Status> apply(const Command& command) override;
    void fail(const Diagnostic& reason) override;
    void giveUp() noexcept override;
    void show(Snapshot& snapshot) override;

private:
    bool current() const;
    Status ask(const std::string& rule);
    void answer(const std::optional<ChangeFigures>& then, const Diagnostics& problem);

    TaskState& shared_;
    const DesignTask& designs_;
    std::shared_ptr<const WithoutRule> asked_;
    std::shared_ptr<const ir::Program> program_; ///< that it is of
    Settings settings_;
    std::vector<design::Pin> pins_;
    std::shared_ptr<const design::Design> design_;
    std::optional<ChangeTrial> trial_;
};

} // namespace marquetry::session
