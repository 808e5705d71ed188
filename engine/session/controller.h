// Controller: what becomes of commands, and whose turn it is.
//
// Without threads: the worker hands it commands one by one and calls work() with what nextWork()
// says, until that is None. The tasks (task.h) do the work; the controller keeps what the user
// chose, opens files, and gives the tasks their turns. Whatever somebody waits for comes first: a
// design and answers about it, that of a file beside it, differences of HDL, banks, circuits. Then
// come exports, verifications and measures (jobs), then the growth of the e-graph, the HDL as text,
// circuits of other throughputs, what the design would be without a rule, and changes that may be
// worth a try.
//
// Commands are acknowledged through the hook, exactly once; Export, Verify and Measure when they
// have ended, the others at once. While one of them waits or runs (hasJob) no further command may
// be handled.
//
// Codes of refusals: interrupted, session-ended, program-changed and file-missing (of a session
// file's program), and those of the tasks, of setup.h, of
// design_file.h and of choice_history.h. Thread rule: belongs to one thread.
#pragma once

#include "engine/session/changes_task.h"
#include "engine/session/command_line.h"
#include "engine/session/design_file.h"
#include "engine/session/difference_task.h"
#include "engine/session/file_task.h"
#include "engine/session/hardware_task.h"
#include "engine/session/held_item.h"
#include "engine/session/without_rule_task.h"

#include <array>
#include <functional>

namespace marquetry::session {

/// A command that is posted while the work is under way ends it.
bool interrupts(const Command& command, Work work);

class Controller {
public:
    struct Hooks {
        std::function<void(Ticket, const Status&)> acknowledge;
        std::function<void()> progress; ///< a good moment to publish, within long work
    };

    explicit Controller(Hooks hooks);

    /// `stop` ends the import of a network that the command opens.
    void handle(Ticket ticket, const Command& command, const std::stop_token& stop = {});
    bool hasJob() const { return job_.has_value(); }
    Work nextWork() const { return next().due.work; }
    /// What work() is going to do; what throws from here on is a failure of that.
    Work begin();
    void work(std::stop_token stop);
    /// Refuses what still waits.
    void close();

    /// What is under way, in words: "growing the e-graph".
    const char* doing() const { return doing_; }
    /// Any of the functions above has thrown: the session goes on without what it was doing. The
    /// command in hand, and a job, are not acknowledged: that is left to the caller.
    void recover(const Diagnostic& reason);
    /// recover() has thrown too.
    void giveUp() noexcept;
    /// snapshot() has thrown: those to come leave out what takes most memory, until the next
    /// command.
    void snapshotFailed(const Diagnostic& reason);
    /// Why the last command or work ended early; empty when none did.
    const Diagnostics& failure() const { return failure_; }

    Phase phase() const;
    /// `watched`: somebody asked, so intermediate designs are worth finding.
    Snapshot snapshot(bool watched);
    /// Something was found in the background that no snapshot shows yet.
    bool hasNews() const { return shared_.news; }

private:
    struct Job {
        Ticket ticket = 0;
        std::variant<Export, Verify, Measure> command;
    };
    /// Whose turn it is: a task's, or without one that of the job.
    struct Turn {
        Task* task = nullptr;
        Due due;
    };

    Turn next(bool withQuiet = true) const;
    Due jobDue() const;

    Status apply(const Command& command);
    std::optional<Status> admitJob(Ticket ticket, const Command& command);
    std::optional<Status> applyHere(const Command& command);
    /// Whether those of the same file are kept, or have been made anew.
    enum class Choices { Kept, Restarted };
    Status read(Explorer& next, const std::string& path, const std::string& item,
                const Setup& setup);
    Status openProgram(const OpenFile& file);
    Status openHeld(const HeldItem& held);
    Status openDesign(const OpenFile& file);
    Status openSession(const OpenSession& command);
    Status readSessionProgram(Explorer& next, const OpenSession& command, const Setup& setup,
                              Diagnostics& told);
    Status opened(Explorer next, const Status& status, Choices choices = Choices::Kept);
    Status change(const Settings& settings);
    Status travel(Status (ChoiceHistory::*there)(), Status (ChoiceHistory::*back)());
    void follow(const Settings& before);
    bool settle(const Command& command);
    void refreshArrays();

    CommandContext context() const;
    std::string lineOf(const Command& command) const;
    /// Buffers of a design have no command line: they come from an exploration.
    bool onBuffer(const Command& command) const;

    Status done(Ticket ticket, const Command& command);
    void takeBack() noexcept;
    void workJob(std::stop_token stop);
    void refuseJob(const Diagnostic& reason);

    Hooks hooks_;
    TaskState shared_;
    DesignTask designs_;
    FileTask files_;
    DifferenceTask differences_;
    MemoryTask memories_;
    StreamTask streams_;
    HardwareTask hardware_;
    WithoutRuleTask withoutRule_;
    ChangesTask changes_;
    std::array<Task*, 8> tasks_; ///< in the order of their turns
    std::optional<Job> job_;
    bool jobStopped_ = false; ///< the command that comes next stopped a job or an import

    std::stop_token stopOpening_; ///< of the command in hand
    bool opening_ = false;        ///< a network is being imported

    /// What commands change step by step, as it was before the one in hand.
    struct Before {
        ChoiceHistory choices;
        Memories memories;
        Streams streams;
        Setup setup;
    };
    std::optional<Before> before_; ///< while a command may still end as if it had not come

    const char* doing_ = "starting";
    Turn turn_;
    Diagnostics failure_;
    bool unspoken_ = false; ///< a failure that there was no memory to describe
    SharedList<std::string> ruleSwitches_;
};

} // namespace marquetry::session
