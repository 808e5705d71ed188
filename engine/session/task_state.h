// TaskState: what the tasks of a session share — the user's choices with their history, the setup
// made of them, and the log. The controller owns it.
//
// Thread rule: belongs to one thread.
#pragma once

#include "engine/session/choice_history.h"
#include "engine/session/setup.h"

#include <functional>

namespace marquetry::session {

/// The lines of the log, the oldest of which leave when there are too many.
class Log {
public:
    void add(std::string text, LineKind kind = LineKind::Message);
    /// "not done: MESSAGE [CODE]".
    void addRefusal(const Diagnostic& reason) { addReason("not done", reason, LineKind::Refusal); }
    void addReason(const std::string& what, const Diagnostic& reason,
                   LineKind kind = LineKind::Message);
    /// As it is now; made anew only after a change.
    SharedList<LogLine> lines();

private:
    std::vector<LogLine> lines_;
    std::uint64_t added_ = 0;
    std::optional<SharedList<LogLine>> picture_;
};

struct TaskState {
    ChoiceHistory choices;
    Setup setup;
    Log log;
    std::string note;               ///< what the command in hand has to say when it is done
    std::function<void()> progress; ///< a good moment to publish, within long work

    /// The work under way has left its answer: what fails from here on are words about it.
    void settled() { underWay = false; }
    /// The command in hand has changed what cannot be taken back.
    void commit() { takesBack = false; }

    /// What was found in the background is there to be shown, though nobody has asked.
    bool news = false;
    bool underWay = false;  ///< a failure is one of the work
    bool takesBack = false; ///< a failure leaves all as it was before the command in hand
    bool lean = false;      ///< snapshots leave out what takes most memory
};

} // namespace marquetry::session
