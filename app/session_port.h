// SessionPort: what the window needs of a session, so that a test can put a scripted one in place.
//
// Every function may be called from any thread and returns at once. `latest` is never null.
// Callbacks may run on another thread and must only wake up the receiver. Destruction ends them:
// after the destructor has returned no callback runs.
// Errors: commands that make no sense come back as acknowledgements with diagnostics.
#pragma once

#include "engine/session/session.h"

#include <functional>
#include <memory>

namespace marquetry::app {

class SessionPort {
public:
    virtual ~SessionPort() = default;
    virtual session::Ticket post(session::Command command) = 0;
    virtual void requestSnapshot() = 0;
    virtual std::shared_ptr<const session::Snapshot> latest() const = 0;
};

using SessionPortFactory =
    std::function<std::unique_ptr<SessionPort>(session::Session::Callbacks callbacks)>;

/// A port on a real session with its engine thread.
std::unique_ptr<SessionPort> makeEnginePort(session::Session::Callbacks callbacks);

} // namespace marquetry::app
