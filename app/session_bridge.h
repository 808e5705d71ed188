// SessionBridge: the only place where the window and the engine thread meet.
//
// The engine's callbacks become queued signals on the bridge's thread; commands go the other way
// and are acknowledged later. Neither side ever waits for the other. Snapshots are demand driven:
// the bridge asks for one when a command took effect, and every kSnapshotIntervalMs (30 per second)
// while the window is visible and something is running. At most one request is under way; a
// publication that nobody has looked at yet is not announced twice.
//
// Thread rule: everything but the callbacks inside is for the window's thread.
#pragma once

#include "app/session_port.h"

#include <QObject>
#include <QTimer>

#include <atomic>
#include <memory>

namespace marquetry::app {

using SnapshotPtr = std::shared_ptr<const session::Snapshot>;

/// Whether the engine thread is at work in this phase.
bool isRunning(session::Phase phase);

class SessionBridge : public QObject {
    Q_OBJECT
public:
    static constexpr int kSnapshotIntervalMs = 34;

    explicit SessionBridge(const SessionPortFactory& factory, QObject* parent = nullptr);
    ~SessionBridge() override;

    session::Ticket post(session::Command command);
    /// The snapshot the window shows; never null.
    SnapshotPtr snapshot() const { return snapshot_; }
    /// False while the window is hidden or minimised: then nothing is asked for.
    void setWatching(bool watching);
    /// Whether more snapshots are on their way or will be asked for without another command.
    bool asking() const { return asked_ || timer_.isActive(); }

Q_SIGNALS:
    void snapshotChanged(std::shared_ptr<const marquetry::session::Snapshot> snapshot);
    void acknowledged(marquetry::session::Acknowledgement acknowledgement);

private:
    void onSnapshotReady();
    void onAcknowledged(const session::Acknowledgement& acknowledgement);
    bool wantsSnapshot() const;
    void ask();

    std::unique_ptr<SessionPort> port_;
    SnapshotPtr snapshot_;
    std::uint64_t neededEpoch_ = 0;
    bool watching_ = false;
    bool asked_ = false;
    std::atomic<bool> announced_ = false; ///< a delivery is queued on the window's thread
    QTimer timer_;
};

} // namespace marquetry::app

Q_DECLARE_METATYPE(std::shared_ptr<const marquetry::session::Snapshot>)
Q_DECLARE_METATYPE(marquetry::session::Acknowledgement)
