#include "app/session_keeper.h"

#include "engine/support/files.h"
#include "engine/support/quote.h"

#include <QFileInfo>

#include <filesystem>
#include <utility>

namespace marquetry::app {

using session::SessionFile;

namespace {

/// A path as it was typed means nothing to whoever opens the session from another folder.
std::string fromAnywhere(const std::string& path) {
    if (path.empty() || std::filesystem::path(path).is_absolute())
        return path;
    std::error_code unknown;
    const std::filesystem::path whole = std::filesystem::absolute(path, unknown);
    return unknown ? path : whole.lexically_normal().string();
}

} // namespace

SessionKeeper::SessionKeeper(const QString& journalFolder, WindowState windowState, QObject* parent)
    : QObject(parent), journal_(journalFolder), windowState_(std::move(windowState)) {
    timer_.setSingleShot(true);
    timer_.setInterval(kJournalMs);
    connect(&timer_, &QTimer::timeout, this, &SessionKeeper::writeJournal);
}

void SessionKeeper::follow(const session::Snapshot& snapshot) {
    if (snapshot.epoch < from_ || ended_)
        return;
    SessionFile before = now_;
    if (begun_)
        before.program = snapshot.file; // it may have moved with the session file
    follow(sessionOf(snapshot, before));
}

void SessionKeeper::follow(SessionFile now) {
    if (!std::exchange(begun_, false) && now.program != now_.program) {
        saved_ = now;
        path_.clear();
        bytes_.clear();
    }
    if (path_.isEmpty() && saved_.program == now.program)
        saved_.text = now.text; // the author is at work on the program, which is in its own file
    if (now == now_ && modified() == wasModified_)
        return;
    now_ = std::move(now);
    if (!timer_.isActive())
        timer_.start();
    wasModified_ = modified();
    Q_EMIT changed();
}

void SessionKeeper::begin(const QString& path, const SessionFile& session, std::uint64_t epoch) {
    path_ = path;
    const auto read = files::read(path.toStdString());
    bytes_ = read ? *read : std::string();
    saved_ = now_ = session;
    saved_.savedAs = now_.savedAs = {};
    saved_.window = now_.window = {};
    from_ = epoch;
    begun_ = true;
    wasModified_ = modified();
    timer_.start();
    Q_EMIT changed();
}

void SessionKeeper::leave(std::uint64_t epoch) {
    path_.clear();
    bytes_.clear();
    saved_ = now_ = {};
    from_ = epoch;
    begun_ = false;
    wasModified_ = false;
    Q_EMIT changed();
}

/// What is in the file is not what was lost: there is something to save, whatever it is.
void SessionKeeper::recover(const SessionJournal::Orphan& orphan, const SessionFile& session,
                            std::uint64_t epoch) {
    begin(QString::fromStdString(session.savedAs), session, epoch);
    const auto saved = path_.isEmpty() ? Result<SessionFile>(SessionFile())
                                       : session::parseSession(bytes_, session.savedAs);
    saved_ = saved ? *saved : SessionFile();
    // What was lost was decided of what the file held then: whoever has written it since is asked
    // for before it is replaced.
    if (QFileInfo(path_).lastModified() > orphan.written)
        bytes_.clear();
    take(orphan);
    orphan_ = orphan;
    wasModified_ = modified();
    Q_EMIT changed();
}

const std::vector<SessionJournal::Orphan>& SessionKeeper::orphans() {
    for (SessionJournal::Orphan& found : journal_.orphans())
        orphans_.push_back(std::move(found));
    return orphans_;
}

void SessionKeeper::take(const SessionJournal::Orphan& orphan) {
    std::erase_if(orphans_, [&](const auto& each) { return each.file == orphan.file; });
}

void SessionKeeper::discard(const SessionJournal::Orphan& orphan) {
    orphan.remove();
    take(orphan);
}

bool SessionKeeper::modified() const {
    return !now_.program.empty() && !sameDecisions(now_, saved_);
}

bool SessionKeeper::asksToSave() const {
    const bool byHand =
        now_.pins != saved_.pins || now_.banks != saved_.banks || now_.streams != saved_.streams;
    return modified() && (!path_.isEmpty() || byHand);
}

std::string SessionKeeper::bytes(bool journal) const {
    SessionFile whole = now_;
    whole.program = fromAnywhere(whole.program);
    whole.window = windowState_();
    if (journal)
        whole.savedAs = path_.toStdString();
    return printSession(whole);
}

Status SessionKeeper::save(const QString& path, bool force) {
    const std::string file = path.toStdString();
    if (path == path_ && !force) {
        const auto there = files::read(file);
        if (there && *there != bytes_)
            return makeError("output-changed",
                             inQuotes(file) + " has changed since it was read or written here",
                             "save the session under another name, or replace what is there");
    }
    const std::string written = bytes(false);
    files::Replace replace;
    replace.kind = "a session file";
    replace.isOfKind = session::looksLikeSession;
    const auto saved = files::write(file, written, replace);
    if (!saved)
        return saved.error();
    path_ = path;
    bytes_ = written;
    saved_ = now_;
    wasModified_ = false;
    writeJournal();
    Q_EMIT changed();
    return ok();
}

void SessionKeeper::end() {
    ended_ = true;
    timer_.stop();
    journal_.remove();
    if (orphan_)
        orphan_->remove();
    orphan_.reset();
    now_ = saved_ = {};
}

/// The file holds all but what is found again; or there is nothing to be found: no program was ever
/// read, and nothing was decided.
bool SessionKeeper::onDisk() const {
    return now_.program.empty() || (!modified() && (!path_.isEmpty() || now_.text->empty()));
}

void SessionKeeper::writeJournal() {
    timer_.stop();
    if (onDisk()) {
        journal_.remove();
    } else if (const Status written = journal_.write(bytes(true)); !written) {
        if (!std::exchange(journalFails_, true))
            Q_EMIT failed(written.error().front());
        return timer_.start();
    }
    journalFails_ = false;
    if (orphan_)
        orphan_->remove();
    orphan_.reset();
    Q_EMIT kept();
}

} // namespace marquetry::app
