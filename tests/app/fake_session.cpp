#include "fake_session.h"

#include "tests/support/places.h"

#include <fstream>
#include <utility>

namespace marquetry::test {

using session::Work;

FakeSession::FakeSession(session::Session::Callbacks callbacks)
    : callbacks_(std::move(callbacks)),
      controller_(
          {[this](session::Ticket ticket, const Status& status) { acknowledge(ticket, status); },
           [] {}}) {
    published_ = std::make_shared<const session::Snapshot>(controller_.snapshot(false));
}

session::Ticket FakeSession::post(session::Command command) {
    queue_.push_back({++tickets_, std::move(command)});
    handlePosted();
    return tickets_;
}

void FakeSession::requestSnapshot() {
    takeTurn();
    handlePosted();
    publish(true);
}

void FakeSession::fail(const Diagnostic& reason) {
    controller_.recover(reason);
    publish(false);
}

void FakeSession::handlePosted() {
    while (!queue_.empty() && !controller_.hasJob()) {
        const Posted next = std::move(queue_.front());
        queue_.pop_front();
        controller_.handle(next.ticket, next.command);
    }
}

void FakeSession::takeTurn() {
    const Work work = controller_.begin();
    std::stop_source stop;
    if (work == Work::Verify || work == Work::Measure)
        stop.request_stop();
    controller_.work(stop.get_token());
}

void FakeSession::acknowledge(session::Ticket ticket, const Status& status) {
    session::Acknowledgement acknowledgement;
    acknowledgement.ticket = ticket;
    acknowledgement.accepted = status.has_value();
    if (!status)
        acknowledgement.diagnostics = status.error();
    acknowledgement.epoch = epoch_ + 1;
    callbacks_.acknowledged(acknowledgement);
}

void FakeSession::publish(bool watched) {
    auto fresh = std::make_shared<session::Snapshot>(controller_.snapshot(watched));
    fresh->epoch = ++epoch_;
    published_ = std::move(fresh);
    callbacks_.snapshotReady();
}

app::SessionPortFactory fakeFactory(FakeSession*& made) {
    return [&made](session::Session::Callbacks callbacks) {
        auto session = std::make_unique<FakeSession>(std::move(callbacks));
        made = session.get();
        return session;
    };
}

std::string runningExample() {
    return test::sourceFolder() + "/examples/running_example/running_example.mq";
}

std::string lenet5() {
    return test::sourceFolder() + "/examples/lenet5/lenet5.mq";
}

std::string brokenProgram(const std::string& folder) {
    const std::string path = folder + "/broken.mq";
    std::ofstream(path) << "design broken {\n  input x : i8[8, 8, 3];\n"
                           "  let a = conv(x, missing);\n  output y = mv(w, flatten(x));\n}\n";
    return path;
}

} // namespace marquetry::test
