#include "app/driven_session.h"

#include <QEventLoop>

#include <optional>
#include <utility>

namespace marquetry::app {

DrivenSession::DrivenSession(SessionBridge& bridge, Post post)
    : bridge_(bridge), post_(std::move(post)) {}

Status DrivenSession::done(const session::Command& command) {
    QEventLoop loop;
    session::Ticket ticket = 0;
    std::optional<session::Acknowledgement> answer;
    // Answers are queued: none comes before the ticket is known.
    QObject::connect(&bridge_, &SessionBridge::acknowledged, &loop,
                     [&](const session::Acknowledgement& acknowledgement) {
                         if (acknowledgement.ticket != ticket)
                             return;
                         answer = acknowledgement;
                         loop.quit();
                     });
    ticket = post_(command);
    loop.exec();
    if (!answer->accepted)
        return answer->diagnostics;
    const auto shown =
        until([&](const session::Snapshot& snapshot) { return snapshot.epoch >= answer->epoch; });
    return shown ? ok() : Status(shown.error());
}

Result<SnapshotPtr> DrivenSession::until(const Condition& condition) {
    while (!condition(*bridge_.snapshot())) {
        if (!bridge_.snapshot()->failure.empty())
            return bridge_.snapshot()->failure;
        QEventLoop loop;
        QObject::connect(&bridge_, &SessionBridge::snapshotChanged, &loop, &QEventLoop::quit);
        loop.exec();
    }
    return bridge_.snapshot();
}

} // namespace marquetry::app
