// Session: the background thread and the only owner of the e-graph.
//
// The window posts commands and asks for snapshots; the engine thread publishes one at its next
// safe point (between iterations, between extraction steps, at least every 30 ms of work that can
// be paused) — demand-driven, so a window that does not look costs nothing.
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
