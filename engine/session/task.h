// Task: one kind of work that a session does. There are eight: a search for a design, the design of
// a file beside it, how the HDL of two designs differs, banks of memories, circuits of streams, the
// hardware of what these found, what the design would be without a rule, and changes that may be
// worth a try.
//
// A task says what it would do next; the controller decides whose turn it is, and hands it a stop
// token. Work that is stopped leaves what was there before, and stays due. What a task has found
// is shown in snapshots by pointers to constants, so showing it costs nothing that grows with it.
//
// Failures: when work() throws, the controller calls fail(), or giveUp() when there is not even the
// memory for that; either ends what was due, so that a session never tries the same again and
// again. Thread rule: belongs to one thread.
#pragma once

#include "engine/session/command.h"

#include <optional>
#include <stop_token>

namespace marquetry::session {

enum class Work : std::uint8_t {
    None,
    Open,
    Iterate,
    Extract,
    Plan,
    Write,
    Export,
    Verify,
    Measure,
    Try
};

/// What a task would do next.
struct Due {
    Work work = Work::None;
    /// Somebody waits for the answer: it comes before exports, verifications and measurements, and
    /// they before all other work.
    bool awaited = false;
    bool quiet = false;      ///< no phase of the session: nobody is told that it runs
    const char* doing = "";  ///< "growing the e-graph"
    const char* answer = ""; ///< "the design was found": what an interruption prevents
};

class Task {
public:
    Task() = default;
    virtual ~Task() = default;
    Task(const Task&) = delete;
    Task& operator=(const Task&) = delete;

    /// Without asking for memory.
    virtual Due due() const = 0;
    /// Does a piece of what is due.
    virtual void work(std::stop_token stop) = 0;
    /// Ends what is due: what was found so far counts. False when nothing was that could end.
    virtual bool settle() = 0;
    /// Does the command if it is one of this task; nothing: it is not.
    virtual std::optional<Status> apply(const Command& command) = 0;
    /// work() has thrown: what was due has this for an answer.
    virtual void fail(const Diagnostic& reason) = 0;
    /// Nothing is due any more, without an answer.
    virtual void giveUp() noexcept = 0;
    virtual void show(Snapshot& snapshot) = 0;
};

} // namespace marquetry::session
