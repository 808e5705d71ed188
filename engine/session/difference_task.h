// DifferenceTask: how the HDL of two designs differs, module by module.
//
// It is asked for by AskHdlDifference, of any two designs with their programs, and made at once;
// what another command interrupts is begun again. Memory files are compared by name: their contents
// are made by exports. The answer stays until another pair is asked for. Errors: none; designs that
// cannot be exported say why. A stop ends it with an answer that says so. Thread rule: belongs to
// one thread.
#pragma once

#include "engine/session/task.h"

#include <functional>

namespace marquetry::session {

class DifferenceTask : public Task {
public:
    /// `progress`: a good moment to publish, within long work.
    explicit DifferenceTask(std::function<void()> progress) : progress_(std::move(progress)) {}

    Due due() const override;
    void work(std::stop_token stop) override;
    bool settle() override;
    std::optional<Status> apply(const Command& command) override;
    void fail(const Diagnostic& reason) override;
    void giveUp() noexcept override;
    void show(Snapshot& snapshot) override;

private:
    bool comparing() const { return answer_ && answer_->running; }
    void answer(HdlDifference difference);

    std::function<void()> progress_;
    std::optional<AskHdlDifference> asked_;
    std::shared_ptr<const HdlDifference> answer_;
};

} // namespace marquetry::session
