// WindowActions: every action of the window, from one table — text, shortcut, icon, status tip.
//
// The command palette and the sheet of keys are made of the actions (action_list.h); no action is
// made elsewhere in app/ but the dynamic ones (recent files, docks). Which actions make sense
// follows from the snapshot alone: see updateEnabled(). Thread rule: window's thread.
#pragma once

#include "app/icons.h"
#include "engine/session/snapshot.h"

#include <QKeySequence>
#include <QList>
#include <QObject>

#include <map>
#include <optional>

class QAction;
class QWidget;

namespace marquetry::app {

enum class Act {
    Open,
    Gallery,
    Reload,
    SaveSession,
    SaveSessionAs,
    Recover,
    Export,
    Quit,
    Undo,
    Redo,
    FindInHdl,
    CopyCommand,
    ContextMenu,
    Settings,
    Run,
    Pause,
    Step,
    Stop,
    Verify,
    VerifyVerilator,
    VerifyIcarus,
    Explore,
    Inspect,
    ExportView,
    ResetLayout,
    Dark,
    Palette,
    Shortcuts,
    About,
};

class WindowActions : public QObject {
    Q_OBJECT
public:
    explicit WindowActions(QWidget* window);

    QAction* operator[](Act act) const { return actions_.at(act); }
    QList<QAction*> all() const;
    /// `searchAsked`: a search was asked for that the snapshot does not show yet.
    void updateEnabled(const session::Snapshot& snapshot, bool searchAsked = false);
    /// There are sessions to recover, which no snapshot shows.
    void setRecoverable(bool recoverable);
    /// Draws the icons anew after a change of palette.
    void updateIcons();

private:
    std::map<Act, QAction*> actions_;
    std::map<Act, Icon> icons_;
    QWidget* window_ = nullptr;
};

} // namespace marquetry::app
