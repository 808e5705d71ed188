// StreamTask: circuits for the streams of the file.
//
// Errors (of the commands): those of streams.h. Thread rule: belongs to one thread.
#pragma once

#include "engine/session/streams.h"
#include "engine/session/task.h"
#include "engine/session/task_state.h"

namespace marquetry::session {

class StreamTask : public Task {
public:
    explicit StreamTask(TaskState& taskState) : shared_(taskState) {}

    /// Another file.
    void open(Streams streams) { streams_ = std::move(streams); }
    /// As it was before a command.
    void takeBack(Streams before) noexcept { streams_ = std::move(before); }
    /// The choices or the settings have changed, other than by a command of this task.
    void follow(const Settings& before);

    /// The circuit at hand is awaited; throughputs that nobody has tried are not.
    Due due() const override;
    void work(std::stop_token stop) override;
    bool settle() override;
    std::optional<Status> apply(const Command& command) override;
    void fail(const Diagnostic& reason) override { streams_.fail(reason); }
    void giveUp() noexcept override { streams_.giveUp(); }
    void show(Snapshot& snapshot) override;

    const Streams& streams() const { return streams_; }

private:
    StreamChoice choiceOf(const std::string& stream) const;
    Status setThroughput(const SetThroughput& command);
    Status choose(const std::string& item, const StreamChoice& choice);
    void logCircuit();

    TaskState& shared_;
    Streams streams_;
};

} // namespace marquetry::session
