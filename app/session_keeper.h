// SessionKeeper: what of the session is on disk. It knows the session file that it was opened from
// or saved to, whether something was decided since, and keeps everything else in a journal
// (session_journal.h), at most kJournalMs after a change.
//
// A program that is opened alone is a session that was saved nowhere, and that nothing was decided
// in yet. Another program begins another session; the same one again does not.
// Errors of save: those of files::write; output-changed, when the file is not as it was read or
// written here last. Thread rule: window's thread.
#pragma once

#include "app/session_journal.h"
#include "engine/session/session_file.h"

#include <QObject>
#include <QTimer>

#include <functional>
#include <map>
#include <optional>
#include <string>

namespace marquetry::app {

class SessionKeeper : public QObject {
    Q_OBJECT
public:
    /// A kill loses what was decided in the last second at most.
    static constexpr int kJournalMs = 500;
    static_assert(kJournalMs <= 1000);

    /// What the window keeps in a session file.
    using WindowState = std::function<std::map<std::string, std::string>()>;

    SessionKeeper(const QString& journalFolder, WindowState windowState, QObject* parent);

    void follow(const session::Snapshot& snapshot);
    /// A session was opened that snapshots show from this epoch on. `path` empty: saved nowhere.
    void begin(const QString& path, const session::SessionFile& session, std::uint64_t epoch);
    /// What snapshots show from this epoch on is another session, whatever its program: nothing was
    /// decided in it yet, and it was saved nowhere.
    void leave(std::uint64_t epoch);
    /// The same as begin() of a journal, which is given up when there is another.
    void recover(const SessionJournal::Orphan& orphan, const session::SessionFile& session,
                 std::uint64_t epoch);

    /// With `force`, whatever has become of the file since.
    Status save(const QString& path, bool force = false);
    /// All is over, and nothing is to be recovered.
    void end();

    const QString& path() const { return path_; }
    bool modified() const;
    /// What was decided would be lost: something of a session that has a file, or work by hand.
    /// Settings that were tried on a program, and a design that was chosen from the plot by a
    /// click, are not asked about.
    bool asksToSave() const;
    /// Those that nobody has taken, which belong to this window from now on; newest first.
    const std::vector<SessionJournal::Orphan>& orphans();
    void discard(const SessionJournal::Orphan& orphan);

Q_SIGNALS:
    /// The path, or whether something was decided since.
    void changed();
    /// Once for each time that the journal stops being written.
    void failed(const marquetry::Diagnostic& reason);
    /// The journal holds everything.
    void kept();

private:
    void follow(session::SessionFile now);
    void take(const SessionJournal::Orphan& orphan);
    bool onDisk() const;
    void writeJournal();
    std::string bytes(bool journal) const;

    SessionJournal journal_;
    WindowState windowState_;
    QTimer timer_;
    QString path_;
    std::string bytes_;        ///< of the file, as it was read or written here last
    session::SessionFile now_; ///< without the state of the window
    session::SessionFile saved_;
    std::vector<SessionJournal::Orphan> orphans_;
    std::optional<SessionJournal::Orphan> orphan_; ///< whose place the journal takes
    std::uint64_t from_ = 0;                       ///< snapshots before show another session
    bool begun_ = false; ///< by begin(): the next snapshot is no other session
    bool ended_ = false;
    bool journalFails_ = false;
    bool wasModified_ = false;
};

} // namespace marquetry::app
