#include "engine/session/session.h"

#include "engine/session/worker.h"

namespace marquetry::session {

Session::Session(Callbacks callbacks) : worker_(std::make_unique<Worker>(std::move(callbacks))) {}

Session::~Session() = default;

Ticket Session::post(Command command) {
    return worker_->post(std::move(command));
}

void Session::requestSnapshot() {
    worker_->requestSnapshot();
}

std::shared_ptr<const Snapshot> Session::latest() const {
    return worker_->latest();
}

} // namespace marquetry::session
