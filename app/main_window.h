// MainWindow: toolbar, views and docks on one session.
//
// The window sends commands and shows snapshots; it holds no state of the exploration of its own.
// The session writes every command to the log as the command line that does the same. Layout, theme
// and recent files are kept in the settings; pins, limits and designs belong to the session.
// Errors: a refused command is shown in the notice above the views and in the log.
// Thread rule: window's thread; construction needs a QApplication.
#pragma once

#include "app/perspectives.h"
#include "app/session_bridge.h"
#include "app/session_journal.h"
#include "app/window_actions.h"

#include <QMainWindow>
#include <QSettings>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

class QFrame;
class QLabel;
class QMenu;
class QStackedWidget;
class QTabWidget;

namespace marquetry::widgets {
class EGraphView;
class ElidedLabel;
class HdlView;
class InspectorView;
class CompareView;
class LedgerView;
class LogView;
class MemoriesView;
class ParetoView;
class PinsView;
class ProgramView;
class ProgressView;
class RulesView;
class ScheduleView;
class SelectionModel;
class SharingView;
class StreamsView;
struct Linked;
} // namespace marquetry::widgets

namespace marquetry::app {

class ExplorationBar;
class ExportDialog;
struct ExportItem;
class Gallery;
class OfferBar;
class ProgramWatch;
class RecentFiles;
class SessionKeeper;
class SnapshotFan;

struct WindowParams {
    SessionPortFactory port;
    QString settingsFile;   ///< an .ini file; empty: the user's settings
    QString examplesFolder; ///< empty: no gallery
    QString journalFolder;  ///< of sessions that are not saved yet (session_journal.h); empty: none
};

class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    explicit MainWindow(const WindowParams& params, QWidget* parent = nullptr);
    ~MainWindow() override;

    /// A session that would be lost is asked about first.
    void openFile(const QString& path);
    /// `item` empty: the first.
    void openItem(const QString& path, const QString& item);
    /// Sends a command; the session logs its command line.
    session::Ticket post(const session::Command& command);
    void setDark(bool dark);

    SessionBridge& bridge() { return *bridge_; }
    WindowActions& windowActions() { return *actions_; }
    Perspectives& perspectives() { return *perspectives_; }
    SessionKeeper& keeper() { return *keeper_; }
    const WindowDocks& docks() const { return docks_; }
    QTabWidget* tabs() const { return tabs_; }
    widgets::SelectionModel& selection() { return *selection_; }
    QString notice() const;
    /// In the strip above the views, until the next command.
    void report(const Diagnostics& diagnostics);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void changeEvent(QEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    struct Sent {
        session::Command command;
        bool thenVerify = false;
        bool byHand = true;                           ///< the answer is told
        std::optional<SessionJournal::Orphan> orphan; ///< that the session comes from
    };

    // main_window_actions.cpp
    void createActions();
    void createMenus();
    void createViewMenu();
    void createToolbar();
    void connectActions();
    void chooseFile();
    void askSettings();
    /// `item`: as in session::Export; empty: the hardware at hand.
    void askExport(const QString& item = {});
    void workOut(const ExportItem& item);
    /// The stream or memory of the view in front; empty in the others.
    QString itemInView() const;
    void exportAs(ExportDialog& dialog);
    void verify(const QString& item = {});
    void showAbout();

    // main_window_menus.cpp
    void createContextMenus();
    void openContextMenu();
    QList<QWidget*> views() const;
    /// That has the focus, else the one in front.
    QWidget* viewAtHand() const;
    /// That finds again what the view shows; empty: none does.
    QString commandOf(const QWidget* view) const;
    void copyCommand(const QWidget* view);

    // main_window_files.cpp
    using Then = std::function<void()>;
    void connectFiles(const QString& journalFolder);
    void openProgram(const QString& path, const QString& item);
    void openSession(const QString& path);
    void postSession(const session::OpenSession& command,
                     const std::optional<SessionJournal::Orphan>& orphan);
    void onSessionAnswer(const Sent& sent, const session::Acknowledgement& acknowledgement);
    void askWhichProgram(const Sent& sent, const QString& changed);
    void beginDesign(const std::string& path, std::uint64_t epoch);
    void saveSession(const Then& then = {});
    void saveSessionAs(const Then& then = {});
    void writeSession(const QString& path, bool force, const Then& then);
    void askToReplace(const QString& path, const Then& then);
    /// Does it once what was decided is saved, or may be lost.
    void whenKept(const Then& then);
    void offerRecovery();
    void offerReload(const QString& file);
    void endReloadOffer(const session::Snapshot& snapshot);
    void recover(const SessionJournal::Orphan& orphan);
    void leaveGonePinsOut(const session::Snapshot& snapshot);
    void tellOfSession(const session::Snapshot& snapshot);
    std::map<std::string, std::string> windowState();
    void restoreWindowState(const std::map<std::string, std::string>& state);
    void updateTitle();

    // main_window_docks.cpp
    void createDocks();
    void createCentral();
    void createTabs();
    QFrame* createNotice();
    QDockWidget* addDock(const QString& name, const QString& title, QWidget* view);
    void showGallery(bool shown);
    void updateCentre();
    void onPerspective(Perspective perspective);

    // main_window_session.cpp
    void connectSession();
    void connectViews();
    void connectLedger();
    void connectCompare();
    void connectPinsView();
    void connectPareto();
    void connectRules();
    void connectMemories();
    void connectStreams();
    template <class View>
    void connectPins(View* view);
    template <class View>
    void connectWhatIf(View* view);
    template <class View>
    void connectFocus(View* view);
    void tell(const QString& text);
    void onSnapshot(const SnapshotPtr& snapshot);
    void onAcknowledged(const session::Acknowledgement& acknowledgement);
    void updateActions();
    void showNotice(const QString& text);
    void greetMemories(const session::Snapshot& snapshot);
    void greetStreams(const session::Snapshot& snapshot);
    void greetLedger(const session::Snapshot& snapshot);
    void askChanges();
    void updateWatching();

    // main_window_selection.cpp
    void connectSelection();
    void connectSchedule();
    void connectCards();
    bool isRule(const QString& name) const;
    /// What a rule says, and what it did, in the Inspector.
    void showCard(const QString& rule);
    void onSelection();
    void askProof(const widgets::Linked& linked);
    /// The line of a layer or value, in front and with the focus.
    void showSource(const QString& value);

    std::unique_ptr<QSettings> settings_;
    QString examplesFolder_;
    std::unique_ptr<SessionBridge> bridge_;
    WindowActions* actions_ = nullptr;
    Perspectives* perspectives_ = nullptr;
    RecentFiles* recent_ = nullptr;
    SnapshotFan* fan_ = nullptr;
    widgets::SelectionModel* selection_ = nullptr;
    WindowDocks docks_;

    ExplorationBar* bar_ = nullptr;
    widgets::ElidedLabel* status_ = nullptr;
    QStackedWidget* stack_ = nullptr;
    QTabWidget* tabs_ = nullptr;
    Gallery* gallery_ = nullptr;
    OfferBar* offer_ = nullptr;
    QFrame* notice_ = nullptr;
    QLabel* noticeText_ = nullptr;
    QMenu* viewMenu_ = nullptr;
    widgets::ProgramView* program_ = nullptr;
    widgets::ParetoView* pareto_ = nullptr;
    widgets::ProgressView* progress_ = nullptr;
    widgets::RulesView* rules_ = nullptr;
    widgets::PinsView* pins_ = nullptr;
    widgets::LogView* log_ = nullptr;
    widgets::HdlView* hdl_ = nullptr;
    widgets::EGraphView* egraphView_ = nullptr;
    widgets::LedgerView* ledger_ = nullptr;
    widgets::ScheduleView* schedule_ = nullptr;
    widgets::CompareView* compare_ = nullptr;
    widgets::SharingView* sharing_ = nullptr;
    widgets::StreamsView* streams_ = nullptr;
    widgets::MemoriesView* memories_ = nullptr;
    widgets::InspectorView* inspector_ = nullptr;

    std::map<session::Ticket, Sent> sent_; ///< not yet acknowledged
    SessionKeeper* keeper_ = nullptr;
    ProgramWatch* watch_ = nullptr;
    std::shared_ptr<const std::string> offeredOver_; ///< the text that was read, when it changed
    /// Of a session that was opened: the epoch from which snapshots show it.
    std::optional<std::uint64_t> sessionFrom_;
    bool pinsUnproved_ = false; ///< of that session: some may name what is gone
    bool closing_ = false;      ///< what would be lost was asked about
    std::string reported_;      ///< the failure of the snapshot that is shown
    std::pair<std::shared_ptr<const design::Design>, std::string> askedProof_;
    std::shared_ptr<const ir::MemoryProgram> greeted_; ///< the first memory of the file last shown
    std::shared_ptr<const ir::StreamProgram> greetedStream_; ///< the same of streams
    /// The design that is searched comes with the Ledger in front, once for each file, unless
    /// another view is chosen meanwhile.
    bool ledgerDue_ = false;
    std::set<std::string> ledgerGreeted_; ///< the files that it has been in front of
    bool changesInSight_ = false;         ///< the view says so, whatever becomes of the window
    bool changesAsked_ = false;
    bool galleryWanted_ = false;
};

} // namespace marquetry::app
