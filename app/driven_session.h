// DrivenSession: a session that a command of the command line drives, for pictures of what it
// shows. Commands are done one after another, and every wait is for a fact, never for time.
//
// Errors: those of a command that is refused, and of work that failed. Thread rule: main thread,
// with a QApplication.
#pragma once

#include "app/session_bridge.h"

#include <functional>

namespace marquetry::app {

class DrivenSession {
public:
    using Post = std::function<session::Ticket(const session::Command&)>;
    using Condition = std::function<bool(const session::Snapshot&)>;

    /// `bridge` must be watching; `post`: through it, or through the window that shows it.
    DrivenSession(SessionBridge& bridge, Post post);

    /// Waits for the answer, and for the snapshot that shows the effect.
    Status done(const session::Command& command);
    /// Waits for a snapshot that fulfils the condition.
    Result<SnapshotPtr> until(const Condition& condition);
    SnapshotPtr snapshot() const { return bridge_.snapshot(); }

private:
    SessionBridge& bridge_;
    Post post_;
};

} // namespace marquetry::app
