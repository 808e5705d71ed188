// MemoryTask: banks for the memories of the file, the buffers of the design at hand and the shifted
// values of the circuit at hand.
//
// Errors (of the commands): those of memories.h. Thread rule: belongs to one thread.
#pragma once

#include "engine/session/memories.h"
#include "engine/session/task.h"
#include "engine/session/task_state.h"

namespace marquetry::session {

class MemoryTask : public Task {
public:
    explicit MemoryTask(TaskState& taskState) : shared_(taskState) {}

    /// Another file. `taken`: names of items that are no memories, which no buffer gets.
    void open(Memories memories, std::vector<std::string> taken);
    /// As it was before a command.
    void takeBack(Memories before) noexcept { memories_ = std::move(before); }
    /// The choices or the settings have changed, other than by a command of this task.
    void follow(const Settings& before);
    /// The design at hand, or none: its buffers are memories too.
    void useDesign(const std::shared_ptr<const design::Design>& design, const ir::Program* program);
    /// The circuit at hand, if there is one: the values that it shifts are.
    void useCircuit(const StreamItem& stream);

    Due due() const override;
    void work(std::stop_token stop) override;
    bool settle() override;
    std::optional<Status> apply(const Command& command) override;
    void fail(const Diagnostic& reason) override { memories_.fail(reason); }
    void giveUp() noexcept override { memories_.giveUp(); }
    void show(Snapshot& snapshot) override;

    const Memories& memories() const { return memories_; }

private:
    Status choose(const std::string& item, const BankChoice& choice);
    void logBanks();

    TaskState& shared_;
    Memories memories_;
    std::vector<std::string> taken_;
    std::shared_ptr<const design::Design> buffersOf_;
    std::pair<std::shared_ptr<const spacetime::StreamSchedule>, std::size_t> arraysOf_;
};

} // namespace marquetry::session
