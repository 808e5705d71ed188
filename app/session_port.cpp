#include "app/session_port.h"

#include <utility>

namespace marquetry::app {

namespace {

class EnginePort : public SessionPort {
public:
    explicit EnginePort(session::Session::Callbacks callbacks) : session_(std::move(callbacks)) {}

    session::Ticket post(session::Command command) override {
        return session_.post(std::move(command));
    }
    void requestSnapshot() override { session_.requestSnapshot(); }
    std::shared_ptr<const session::Snapshot> latest() const override { return session_.latest(); }

private:
    session::Session session_;
};

} // namespace

std::unique_ptr<SessionPort> makeEnginePort(session::Session::Callbacks callbacks) {
    return std::make_unique<EnginePort>(std::move(callbacks));
}

} // namespace marquetry::app
