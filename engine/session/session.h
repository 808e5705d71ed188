// Session: the background thread and the only owner of the e-graph.
//
// The window posts commands and asks for snapshots; the engine thread publishes one at its next
// safe point (between iterations, before and after an extraction, with the progress of a
// verification) — demand-driven, so a window that does not look costs nothing. One is also
// published when the phase changes, so that waiting for a phase needs no asking.
//
// Commands that change what is being worked on interrupt it; it starts anew if it is still needed.
// Every command is acknowledged exactly once: Export and Verify when they have ended, the others
// when they took effect, and those the session did not live to see as refused.
//
// Callbacks run on the engine thread and must only wake up another one. Destruction cancels and
// joins within 50 ms of work (child processes are killed).
#pragma once

#include "engine/session/command.h"
#include "engine/session/snapshot.h"

#include <functional>
#include <memory>

namespace marquetry::session {

class Session {
public:
    struct Callbacks {
        std::function<void()> snapshotReady;
        std::function<void(const Acknowledgement&)> acknowledged;
    };

    explicit Session(Callbacks callbacks);
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    /// Any thread.
    Ticket post(Command command);
    /// Any thread: publish a snapshot soon and call snapshotReady.
    void requestSnapshot();
    /// Any thread: the last published one; never null.
    std::shared_ptr<const Snapshot> latest() const;

private:
    class Worker;
    std::unique_ptr<Worker> worker_;
};

} // namespace marquetry::session
