// FakeSession: a port without a thread, for tests of the window. A real controller does everything,
// on the caller's thread and at fixed moments, so every test is deterministic: a command is handled
// when it is posted, or when the job before it has ended, and each requestSnapshot gives the
// controller one turn. Verifications and measures end at their first turn as if they had been
// stopped: they start other programs, or take seconds, and the window would wait.
#pragma once

#include "app/session_port.h"
#include "engine/session/controller.h"

#include <deque>

namespace marquetry::test {

class FakeSession : public app::SessionPort {
public:
    explicit FakeSession(session::Session::Callbacks callbacks);

    session::Ticket post(session::Command command) override;
    void requestSnapshot() override;
    std::shared_ptr<const session::Snapshot> latest() const override { return published_; }

    /// As if the last work had ended so.
    void fail(const Diagnostic& reason);

private:
    struct Posted {
        session::Ticket ticket = 0;
        session::Command command;
    };

    void handlePosted();
    void takeTurn();
    void acknowledge(session::Ticket ticket, const Status& status);
    void publish(bool watched);

    session::Session::Callbacks callbacks_;
    session::Controller controller_;
    std::deque<Posted> queue_;
    session::Ticket tickets_ = 0;
    std::uint64_t epoch_ = 0;
    std::shared_ptr<const session::Snapshot> published_;
};

/// A factory that hands out a FakeSession and keeps a pointer to it.
app::SessionPortFactory fakeFactory(FakeSession*& made);

/// Shipped examples, and a program with two mistakes that is written to `folder`.
std::string runningExample();
std::string lenet5();
std::string brokenProgram(const std::string& folder);

} // namespace marquetry::test
