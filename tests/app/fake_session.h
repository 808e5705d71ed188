// FakeSession: a port without a thread, for tests of the window. The real engine does the work, one
// step per request, on the caller's thread, so every test is deterministic: OpenFile lowers, each
// requestSnapshot while saturating does one iteration, the one after the last extracts. HDL, export
// and verification are scripted: two files, an empty folder with a manifest, two rounds of
// progress.
#pragma once

#include "app/session_port.h"
#include "engine/session/setup.h"

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

    const std::vector<session::Command>& posted() const { return posted_; }
    int requests() const { return requests_; }

private:
    Diagnostics handle(const session::Command& command);
    Diagnostics open(const std::string& path);
    Diagnostics lower();
    void iterate();
    void finish();
    void extract();
    void answer(const design::Pin& pin);
    void changePins(std::vector<design::Pin> pins);
    void exportTo(const std::string& folder);
    void advanceVerification();
    void publish();

    session::Session::Callbacks callbacks_;
    session::Snapshot state_;
    std::shared_ptr<const session::Snapshot> published_;
    std::unique_ptr<rules::Lowered> lowered_;
    std::unique_ptr<egraph::Saturation> saturation_;
    session::Setup setup_;
    std::vector<std::vector<design::Pin>> undo_;
    std::vector<std::vector<design::Pin>> redo_;
    std::vector<session::Command> posted_;
    session::Ticket tickets_ = 0;
    int nextPin_ = 1;
    int verifyRounds_ = 0;
    int requests_ = 0;
};

/// A factory that hands out a FakeSession and keeps a pointer to it.
app::SessionPortFactory fakeFactory(FakeSession*& made);

/// Shipped examples, and a program with two mistakes that is written to `folder`.
std::string runningExample();
std::string lenet5();
std::string brokenProgram(const std::string& folder);

} // namespace marquetry::test
