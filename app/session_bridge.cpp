#include "app/session_bridge.h"

#include <QMetaObject>

#include <algorithm>
#include <utility>

namespace marquetry::app {

using session::Phase;

bool isRunning(Phase phase) {
    switch (phase) {
    case Phase::Saturating:
    case Phase::Extracting:
    case Phase::Exporting:
    case Phase::Verifying:
    case Phase::Measuring:
    case Phase::Planning:
    case Phase::Opening:
    case Phase::Writing:
        return true;
    case Phase::Empty:
    case Phase::Invalid:
    case Phase::Loaded:
    case Phase::Paused:
    case Phase::Ready:
        return false;
    }
    return false;
}

SessionBridge::SessionBridge(const SessionPortFactory& factory, QObject* parent) : QObject(parent) {
    qRegisterMetaType<std::shared_ptr<const session::Snapshot>>();
    qRegisterMetaType<session::Acknowledgement>();
    session::Session::Callbacks callbacks;
    callbacks.snapshotReady = [this] {
        if (announced_.exchange(true))
            return;
        try {
            QMetaObject::invokeMethod(
                this, [this] { onSnapshotReady(); }, Qt::QueuedConnection);
        } catch (...) { // no memory for the announcement: the engine thread makes it again
            announced_ = false;
            throw;
        }
    };
    callbacks.acknowledged = [this](const session::Acknowledgement& acknowledgement) {
        QMetaObject::invokeMethod(
            this, [this, acknowledgement] { onAcknowledged(acknowledgement); },
            Qt::QueuedConnection);
    };
    port_ = factory(std::move(callbacks));
    snapshot_ = port_->latest();
    timer_.setInterval(kSnapshotIntervalMs);
    connect(&timer_, &QTimer::timeout, this, &SessionBridge::ask);
}

// The port ends the callbacks before the members they use go away.
SessionBridge::~SessionBridge() {
    port_.reset();
}

session::Ticket SessionBridge::post(session::Command command) {
    return port_->post(std::move(command));
}

void SessionBridge::setWatching(bool watching) {
    watching_ = watching;
    if (watching_)
        ask();
    else
        timer_.stop();
}

bool SessionBridge::wantsSnapshot() const {
    return watching_ && (isRunning(snapshot_->phase) || snapshot_->epoch < neededEpoch_);
}

void SessionBridge::ask() {
    if (!watching_) {
        timer_.stop();
        return;
    }
    // The timer outlives the last running phase by one request: the picture of the end is shown.
    if (!wantsSnapshot())
        timer_.stop();
    else if (!timer_.isActive())
        timer_.start();
    if (asked_)
        return;
    asked_ = true;
    port_->requestSnapshot();
}

void SessionBridge::onSnapshotReady() {
    announced_ = false;
    asked_ = false;
    SnapshotPtr fresh = port_->latest();
    if (fresh->epoch == snapshot_->epoch)
        return;
    snapshot_ = std::move(fresh);
    if (wantsSnapshot() && !timer_.isActive())
        timer_.start();
    Q_EMIT snapshotChanged(snapshot_);
}

void SessionBridge::onAcknowledged(const session::Acknowledgement& acknowledgement) {
    neededEpoch_ = std::max(neededEpoch_, acknowledgement.epoch);
    ask();
    Q_EMIT acknowledged(acknowledgement);
}

} // namespace marquetry::app
