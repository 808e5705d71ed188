// SessionJournal: the state of a session that is in no session file yet, in a file of the user's
// data, so that it outlives the process however that ends.
//
// Each window has a journal of its own, "<number>.mqs" in one folder, and holds "<number>.lock"
// while it lives. A journal whose lock nobody holds was left by a process that was ended: an
// orphan. Whoever takes an orphan holds its lock from then on, so that no two windows take one.
// A journal is replaced as a whole: it is the state of before or the state of now.
// Errors of write: journal-unwritable, with the system's cause. Thread rule: window's thread.
#pragma once

#include "engine/support/result.h"

#include <QDateTime>
#include <QString>

#include <memory>
#include <string>
#include <vector>

class QLockFile;

namespace marquetry::app {

class SessionJournal {
public:
    struct Orphan {
        QString file;
        QDateTime written;
        std::shared_ptr<QLockFile> lock;
        void remove() const;
    };

    /// Empty folder: nothing is written or found.
    explicit SessionJournal(QString folder);
    ~SessionJournal();
    SessionJournal(const SessionJournal&) = delete;
    SessionJournal& operator=(const SessionJournal&) = delete;

    bool exists() const;
    Status write(const std::string& bytes);
    void remove();
    /// Newest first.
    std::vector<Orphan> orphans() const;

private:
    Status begin();
    void sweepLocks() const;

    QString folder_;
    QString file_; ///< empty: nothing was written yet
    std::unique_ptr<QLockFile> lock_;
};

} // namespace marquetry::app
