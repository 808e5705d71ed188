// FileTask: the design of a file beside the one at hand, to be compared with it — what a
// DESIGN.json, the folder of an export or a session file holds (file_design.h).
//
// It is asked for by AskFile, whatever the session has at hand, and read at once; a session file
// takes as long as its search, which begins again after a command that came meanwhile. The answer
// stays until another file is asked for. Errors: none; a file without a design says why. A stop
// ends the reading with an answer that says so. Thread rule: belongs to one thread.
#pragma once

#include "engine/session/task.h"

namespace marquetry::session {

class FileTask : public Task {
public:
    Due due() const override;
    void work(std::stop_token stop) override;
    bool settle() override;
    std::optional<Status> apply(const Command& command) override;
    void fail(const Diagnostic& reason) override;
    void giveUp() noexcept override;
    void show(Snapshot& snapshot) override;

private:
    bool reading() const { return asked_ && asked_->running; }

    std::optional<BesideFile> asked_;
    std::uint64_t questions_ = 0;
};

} // namespace marquetry::session
