#include "app/session_journal.h"

#include <QDir>
#include <QFileInfo>
#include <QLockFile>
#include <QSaveFile>
#include <QUuid>

#include <utility>

namespace marquetry::app {

namespace {

const QString kJournalEnd = QStringLiteral(".mqs");
const QString kLockEnd = QStringLiteral(".lock");

QString lockOf(const QString& journal) {
    return journal.chopped(kJournalEnd.size()) + kLockEnd;
}

Diagnostic unwritableJournal(const QString& path, const QString& cause) {
    return makeError("journal-unwritable",
                     "the session cannot be kept safe in " + path.toStdString() + ": " +
                         cause.toStdString(),
                     "make room there, or save the session elsewhere; work goes on, and this is "
                     "tried until it succeeds");
}

} // namespace

void SessionJournal::Orphan::remove() const {
    QFile::remove(file);
    if (lock)
        lock->unlock();
}

SessionJournal::SessionJournal(QString folder) : folder_(std::move(folder)) {}

SessionJournal::~SessionJournal() = default;

bool SessionJournal::exists() const {
    return !file_.isEmpty() && QFileInfo::exists(file_);
}

/// The lock is there before the journal: nobody takes for an orphan what is being written.
Status SessionJournal::begin() {
    const QString file =
        folder_ + u'/' + QUuid::createUuid().toString(QUuid::WithoutBraces) + kJournalEnd;
    auto lock = std::make_unique<QLockFile>(lockOf(file));
    lock->setStaleLockTime(0); // it is held for as long as the window is there
    if (!lock->tryLock())
        return unwritableJournal(folder_, QStringLiteral("no lock file can be made"));
    file_ = file;
    lock_ = std::move(lock);
    return ok();
}

Status SessionJournal::write(const std::string& bytes) {
    if (folder_.isEmpty())
        return ok();
    if (!QDir().mkpath(folder_)) // each time: whoever tidies up may have removed it
        return unwritableJournal(folder_, QStringLiteral("the folder cannot be made"));
    if (file_.isEmpty())
        if (const Status begun = begin(); !begun)
            return begun;
    QSaveFile file(file_);
    const auto size = static_cast<qint64>(bytes.size());
    // Flushed here: commit() takes what a flush of its own could not write for written.
    const bool written = file.open(QIODevice::WriteOnly) &&
                         file.write(bytes.data(), size) == size && file.flush() && file.commit();
    return written ? ok() : Status(unwritableJournal(file_, file.errorString()));
}

void SessionJournal::remove() {
    if (!file_.isEmpty())
        QFile::remove(file_);
}

/// A window that was ended while it had no journal has left its lock.
void SessionJournal::sweepLocks() const {
    for (const QFileInfo& info : QDir(folder_).entryInfoList({u'*' + kLockEnd}, QDir::Files)) {
        const QString journal = info.filePath().chopped(kLockEnd.size()) + kJournalEnd;
        if (journal == file_ || QFileInfo::exists(journal))
            continue;
        QLockFile lock(info.filePath());
        lock.setStaleLockTime(0);
        if (lock.tryLock())
            lock.unlock(); // which removes it
    }
}

std::vector<SessionJournal::Orphan> SessionJournal::orphans() const {
    std::vector<Orphan> found;
    if (folder_.isEmpty())
        return found;
    sweepLocks();
    const QDir folder(folder_);
    for (const QFileInfo& info :
         folder.entryInfoList({u'*' + kJournalEnd}, QDir::Files, QDir::Time)) {
        auto lock = std::make_shared<QLockFile>(lockOf(info.filePath()));
        lock->setStaleLockTime(0);
        // Asked anew: another window may have removed it before it gave up the lock.
        if (info.filePath() != file_ && lock->tryLock() && QFileInfo::exists(info.filePath()))
            found.push_back({info.filePath(), info.lastModified(), std::move(lock)});
    }
    return found;
}

} // namespace marquetry::app
