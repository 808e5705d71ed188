// The window's files: programs and sessions are opened, sessions are saved, kept and recovered.
#include "app/gallery.h"
#include "app/main_window.h"
#include "app/offer_bar.h"
#include "app/program_watch.h"
#include "app/recent_files.h"
#include "app/session_keeper.h"
#include "engine/session/held_item.h"
#include "engine/support/files.h"

#include <QDateTime>
#include <QFileDialog>
#include <QFileInfo>
#include <QLocale>
#include <QMessageBox>
#include <QPushButton>
#include <QStatusBar>
#include <QTabWidget>

#include <algorithm>
#include <utility>

namespace marquetry::app {

namespace {

constexpr const char* kLayout = "layout";
constexpr const char* kPerspective = "perspective";
constexpr const char* kView = "view";
const QString kReload = QStringLiteral("reloadProgram");

QString nameOfFile(const std::string& path) {
    return QFileInfo(QString::fromStdString(path)).fileName();
}

/// As the notice shows a mistake in a file: its place is part of what is said.
Diagnostic withPlace(Diagnostic reason) {
    if (reason.range.known())
        reason.message = nameOfFile(reason.file).toStdString() + ":" +
                         std::to_string(reason.range.line) + ":" +
                         std::to_string(reason.range.column) + ": " + reason.message;
    return reason;
}

/// A question that belongs to the window and blocks nothing else.
QMessageBox* question(QWidget* window, const char* name, const QString& title,
                      const QString& text) {
    auto* box = new QMessageBox(QMessageBox::Question, title, text, QMessageBox::NoButton, window);
    box->setObjectName(QLatin1String(name));
    box->setAttribute(Qt::WA_DeleteOnClose);
    return box;
}

template <class Act>
void addAnswer(QMessageBox* box, const char* name, const QString& text,
               QMessageBox::ButtonRole role, Act act) {
    QPushButton* const button = box->addButton(text, role);
    button->setObjectName(QLatin1String(name));
    QObject::connect(box, &QMessageBox::buttonClicked, button,
                     [button, act](const QAbstractButton* clicked) {
                         if (clicked == button)
                             act();
                     });
}

} // namespace

void MainWindow::connectFiles(const QString& journalFolder) {
    gallery_->setRecent(recent_->files());
    connect(gallery_, &Gallery::recentChosen, this, &MainWindow::openFile);
    connect(recent_, &RecentFiles::changed, this,
            [this] { gallery_->setRecent(recent_->files()); });
    keeper_ = new SessionKeeper(
        journalFolder, [this] { return windowState(); }, this);
    connect(keeper_, &SessionKeeper::changed, this, &MainWindow::updateTitle);
    connect(keeper_, &SessionKeeper::failed, this,
            [this](const Diagnostic& reason) { report({reason}); });
    watch_ = new ProgramWatch(this);
    connect(watch_, &ProgramWatch::changed, this, &MainWindow::offerReload);
    offerRecovery();
}

// ---- opening ----

void MainWindow::openProgram(const QString& path, const QString& item) {
    recent_->add(path);
    post(session::OpenFile{path.toStdString(), item.toStdString()});
}

void MainWindow::openSession(const QString& path) {
    auto read = session::readSession(path.toStdString());
    if (!read)
        return report({withPlace(read.error().front())});
    recent_->add(path);
    postSession({QFileInfo(path).absoluteFilePath().toStdString(),
                 std::make_shared<const session::SessionFile>(*std::move(read))},
                std::nullopt);
}

/// A design has settings and pins of its own: another session, even of the program that is open.
/// What is held of a memory or a stream is one more choice in the session.
void MainWindow::beginDesign(const std::string& path, std::uint64_t epoch) {
    if (const auto item = session::readHeldItem(path); item && *item)
        return;
    keeper_->leave(epoch);
    keeper_->follow(*bridge_->snapshot()); // it may show the design already
}

void MainWindow::postSession(const session::OpenSession& command,
                             const std::optional<SessionJournal::Orphan>& orphan) {
    const session::Ticket ticket = post(command);
    if (const auto sent = sent_.find(ticket); sent != sent_.end())
        sent->second.orphan = orphan;
}

void MainWindow::onSessionAnswer(const Sent& sent,
                                 const session::Acknowledgement& acknowledgement) {
    const auto& command = std::get<session::OpenSession>(sent.command);
    if (!acknowledgement.accepted) {
        const Diagnostic& why = acknowledgement.diagnostics.front();
        if (why.code == "program-changed")
            return askWhichProgram(sent, QString::fromStdString(why.message));
        report(acknowledgement.diagnostics);
        if (sent.orphan)
            offerRecovery();
        return;
    }
    notice_->hide();
    showGallery(false);
    if (sent.orphan)
        keeper_->recover(*sent.orphan, *command.session, acknowledgement.epoch);
    else
        keeper_->begin(QString::fromStdString(command.path), *command.session,
                       acknowledgement.epoch);
    sessionFrom_ = acknowledgement.epoch;
    pinsUnproved_ = true;
    const SnapshotPtr shown = bridge_->snapshot(); // it may show the session already
    keeper_->follow(*shown);
    tellOfSession(*shown);
    restoreWindowState(command.session->window);
    actions_->setRecoverable(!keeper_->orphans().empty());
}

void MainWindow::askWhichProgram(const Sent& sent, const QString& changed) {
    QMessageBox* const box =
        question(this, "programChanged", tr("The Program Has Changed"),
                 tr("%1.\nOpen the session with the text that it holds, or with the file as it is "
                    "now? The file stays as it is; pins on what is gone are left out.")
                     .arg(changed));
    const auto again = [this, sent](session::SessionProgram program) {
        session::OpenSession command = std::get<session::OpenSession>(sent.command);
        command.program = program;
        postSession(command, sent.orphan);
    };
    addAnswer(box, "useHeld", tr("Use the Session's &Text"), QMessageBox::AcceptRole,
              [again] { again(session::SessionProgram::Held); });
    addAnswer(box, "useFile", tr("Use the &File"), QMessageBox::AcceptRole,
              [again] { again(session::SessionProgram::File); });
    box->addButton(QMessageBox::Cancel);
    box->open();
}

/// A file that was only touched is no other program.
void MainWindow::offerReload(const QString& file) {
    const SnapshotPtr snapshot = bridge_->snapshot();
    const auto text = files::read(file.toStdString());
    if (snapshot->file != file.toStdString() || !text)
        return;
    if (snapshot->source && *snapshot->source == *text)
        return;
    offeredOver_ = snapshot->source;
    offer_->offer(
        tr("%1 was changed by another program.").arg(QFileInfo(file).fileName()),
        {{kReload, tr("&Reload"), tr("Read it again; settings, pins and choices stay"),
          [this] { (*actions_)[Act::Reload]->trigger(); }, OfferBar::Ends::Later},
         {QStringLiteral("keepProgram"), tr("&Keep"), tr("Go on with what was read"), [] {}}});
}

/// A file that could not be read is still to be read: there is no other text.
void MainWindow::endReloadOffer(const session::Snapshot& snapshot) {
    if (snapshot.source && snapshot.source != offeredOver_)
        offer_->withdraw(kReload);
}

/// What the session had and the program has no more, once snapshots show the session.
void MainWindow::tellOfSession(const session::Snapshot& snapshot) {
    if (!sessionFrom_ || snapshot.epoch < *sessionFrom_)
        return;
    sessionFrom_.reset();
    QStringList told;
    for (const Diagnostic& each : snapshot.diagnostics)
        if (each.code == "choice-gone" || each.code == "device-gone" || each.code == "program-gone")
            told << QString::fromStdString(each.message);
    if (!told.isEmpty())
        showNotice(told.join(u'\n'));
}

/// Which units and terms there are is known when the e-graph has grown. They are switched off, not
/// removed: the Pins dock lists them.
void MainWindow::leaveGonePinsOut(const session::Snapshot& snapshot) {
    const bool answered = snapshot.phase == session::Phase::Ready && !sessionFrom_;
    if (!pinsUnproved_ || !answered)
        return;
    pinsUnproved_ = false;
    QStringList gone;
    for (const design::Pin& pin : snapshot.pins) {
        const bool unknown = std::ranges::any_of(snapshot.infeasible, [&](const Diagnostic& why) {
            return why.code == "pin-unknown" && namesPin(why, pin);
        });
        if (!unknown || !pin.enabled)
            continue;
        gone << QString::fromStdString(toString(pin));
        sent_[post(session::EnablePin{pin.id, false})].byHand = false;
    }
    if (!gone.isEmpty())
        showNotice(tr("The program has no such units, terms or layers any more; these pins are "
                      "switched off: %1")
                       .arg(gone.join(QStringLiteral("; "))));
}

// ---- saving ----

void MainWindow::saveSession(const Then& then) {
    if (keeper_->path().isEmpty())
        saveSessionAs(then);
    else
        writeSession(keeper_->path(), false, then);
}

void MainWindow::saveSessionAs(const Then& then) {
    auto* dialog = new QFileDialog(this, tr("Save the Session"));
    dialog->setObjectName(QStringLiteral("saveSessionDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setFileMode(QFileDialog::AnyFile);
    dialog->setDefaultSuffix(QStringLiteral("mqs"));
    dialog->setNameFilters({tr("Sessions (*.mqs)"), tr("All files (*)")});
    const QFileInfo program(QString::fromStdString(bridge_->snapshot()->file));
    const QFileInfo saved(keeper_->path());
    dialog->setDirectory(keeper_->path().isEmpty() ? program.absolutePath() : saved.absolutePath());
    dialog->selectFile(keeper_->path().isEmpty()
                           ? program.completeBaseName() + QStringLiteral(".mqs")
                           : saved.fileName());
    connect(dialog, &QFileDialog::fileSelected, this, [this, then](const QString& chosen) {
        if (session::isSessionFile(chosen.toStdString()))
            return writeSession(chosen, true, then);
        // Only by this end a session is opened again. The dialog has not asked about the
        // file of that name.
        const QString path = chosen + QStringLiteral(".mqs");
        if (QFileInfo::exists(path))
            return askToReplace(path, then);
        writeSession(path, true, then);
    });
    dialog->open();
}

void MainWindow::writeSession(const QString& path, bool force, const Then& then) {
    const Status saved = keeper_->save(path, force);
    if (!saved && saved.error().front().code == "output-changed")
        return askToReplace(path, then);
    if (!saved)
        return report(saved.error());
    recent_->add(path);
    tell(tr("Session saved to %1").arg(path));
    if (then)
        then();
}

void MainWindow::askToReplace(const QString& path, const Then& then) {
    const bool own = path == keeper_->path();
    QMessageBox* const box = question(
        this, "sessionChanged",
        own ? tr("The Session File Has Changed") : tr("The Session File Is There Already"),
        (own ? tr("%1 is not as it was read or written here last: another window may have saved "
                  "it. Replace what is there now?")
             : tr("%1 is there already. Replace it?"))
            .arg(path));
    addAnswer(box, "replaceSession", tr("&Replace It"), QMessageBox::DestructiveRole,
              [this, path, then] { writeSession(path, true, then); });
    addAnswer(box, "saveElsewhere", tr("Save Under Another &Name…"), QMessageBox::AcceptRole,
              [this, then] { saveSessionAs(then); });
    box->addButton(QMessageBox::Cancel);
    box->open();
}

void MainWindow::whenKept(const Then& then) {
    if (!keeper_->asksToSave())
        return then();
    QMessageBox* const box =
        question(this, "unsavedSession", tr("The Session Is Not Saved"),
                 tr("Settings, pins or choices of %1 were changed since it was opened or saved.")
                     .arg(windowTitle().section(QStringLiteral("[*]"), 0, 0)));
    addAnswer(box, "saveFirst", tr("&Save"), QMessageBox::AcceptRole,
              [this, then] { saveSession(then); });
    addAnswer(box, "discard", tr("&Discard"), QMessageBox::DestructiveRole, then);
    box->addButton(QMessageBox::Cancel);
    box->open();
}

void MainWindow::updateTitle() {
    const QString program = nameOfFile(bridge_->snapshot()->file);
    const QString name =
        keeper_->path().isEmpty() ? program : QFileInfo(keeper_->path()).fileName();
    setWindowTitle(name.isEmpty() ? tr("Marquetry[*]") : tr("%1[*] — Marquetry").arg(name));
    setWindowModified(keeper_->modified());
}

// ---- recovery ----

void MainWindow::offerRecovery() {
    const auto& orphans = keeper_->orphans();
    actions_->setRecoverable(!orphans.empty());
    if (orphans.empty())
        return;
    const SessionJournal::Orphan orphan = orphans.front();
    const auto held = session::readSession(orphan.file.toStdString());
    const std::string named = held ? (held->savedAs.empty() ? held->program : held->savedAs) : "";
    const QString name = named.empty() ? QFileInfo(orphan.file).fileName() : nameOfFile(named);
    offer_->offer(
        tr("Marquetry ended before the session of %1 was saved. Its last state, of %2, is there.")
            .arg(name, QLocale().toString(orphan.written, QLocale::ShortFormat)),
        {{QStringLiteral("recoverSession"), tr("&Recover"),
          tr("Open the session as it was, and search again"), [this, orphan] { recover(orphan); }},
         {QStringLiteral("recoverLater"), tr("&Later"),
          tr("Keep it: File, Recover Session… asks again"), [] {}},
         {QStringLiteral("recoverNever"), tr("&Discard"), tr("Remove what was kept of it"),
          [this, orphan] {
              keeper_->discard(orphan);
              offerRecovery();
          }}});
}

/// What is recovered belongs to the session file that it had, and is still to be saved there.
void MainWindow::recover(const SessionJournal::Orphan& orphan) {
    auto held = session::readSession(orphan.file.toStdString());
    if (!held) {
        report({withPlace(held.error().front())});
        return offerRecovery();
    }
    whenKept(
        [this, orphan, session = std::make_shared<const session::SessionFile>(*std::move(held))] {
            postSession({session->savedAs, session}, orphan);
        });
}

// ---- what is shown ----

std::map<std::string, std::string> MainWindow::windowState() {
    const QByteArray layout = saveState(Perspectives::kVersion).toBase64();
    return {{kLayout, layout.toStdString()},
            {kPerspective, std::to_string(static_cast<int>(perspectives_->current()))},
            {kView, tabs_->tabText(tabs_->currentIndex()).toStdString()}};
}

void MainWindow::restoreWindowState(const std::map<std::string, std::string>& state) {
    const auto valueOf = [&](const char* key) {
        const auto at = state.find(key);
        return at == state.end() ? std::string() : at->second;
    };
    for (const Perspective each : {Perspective::Explore, Perspective::Inspect, Perspective::Export})
        if (valueOf(kPerspective) == std::to_string(static_cast<int>(each)) &&
            each != perspectives_->current())
            perspectives_->enter(each);
    const QByteArray layout = QByteArray::fromBase64(QByteArray::fromStdString(valueOf(kLayout)));
    restoreState(layout, Perspectives::kVersion); // of another version it is left out
    for (int k = 0; k < tabs_->count(); ++k)
        if (tabs_->tabText(k).toStdString() == valueOf(kView))
            tabs_->setCurrentIndex(k);
}

} // namespace marquetry::app
