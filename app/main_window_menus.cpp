// The menus of the views: what every one of them ends with, and the same by keys.
#include "app/main_window.h"
#include "engine/frontend/onnx/program_file.h"
#include "engine/session/shown_command.h"
#include "engine/support/files.h"
#include "widgets/compare/compare_view.h"
#include "widgets/egraph/egraph_view.h"
#include "widgets/hdl/hdl_view.h"
#include "widgets/inspector/inspector_view.h"
#include "widgets/ledger/ledger_view.h"
#include "widgets/log/log_view.h"
#include "widgets/memories/memories_view.h"
#include "widgets/pareto/pareto_view.h"
#include "widgets/pins/pins_view.h"
#include "widgets/program/program_view.h"
#include "widgets/progress/progress_view.h"
#include "widgets/rules/rules_view.h"
#include "widgets/schedule/schedule_view.h"
#include "widgets/sharing/sharing_view.h"
#include "widgets/streams/streams_view.h"
#include "widgets/text/view_menu.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QMenu>
#include <QStatusBar>
#include <QTabWidget>

namespace marquetry::app {

namespace {

QString noCommand(bool ofTwoDesigns) {
    if (ofTwoDesigns)
        return QObject::tr("No single command finds two designs: write each into a file with "
                           "explore --out, and give both files to marquetry compare.");
    return QObject::tr(
        "No command finds again what is shown here: nothing is found yet, its search "
        "was ended within, something better is known, or the file holds another program now.");
}

/// A command reads the file: that may hold other text than a session file, or have been changed
/// since. What a network was read as is not its file's text.
bool isInItsFile(const session::Snapshot& snapshot) {
    if (!snapshot.source || frontend::onnx::isModelFile(snapshot.file))
        return true;
    const auto text = files::read(snapshot.file);
    return text && *text == *snapshot.source;
}

/// What the command line finds for a file without a design.
std::string hardwareCommand(const session::Snapshot& snapshot) {
    if (snapshot.program)
        return session::designCommand(snapshot);
    return snapshot.streams.empty() ? session::banksCommand(snapshot)
                                    : session::circuitCommand(snapshot);
}

std::string commandOfPoint(const session::Snapshot& snapshot, const design::DesignPoint& point) {
    const session::PickedDesign picked{point.cycles, point.frames, point.resources,
                                       point.label,  point.lanes,  point.groupedChannels};
    return point.feasible ? session::pointCommand(snapshot, picked) : std::string();
}

} // namespace

QList<QWidget*> MainWindow::views() const {
    return {ledger_,  schedule_, egraphView_, sharing_, compare_,  streams_, memories_, hdl_,
            program_, rules_,    inspector_,  pareto_,  progress_, pins_,    log_};
}

void MainWindow::createContextMenus() {
    for (QWidget* const view : views())
        new widgets::ViewMenu(view, [this, view](QMenu& menu) {
            if (const QString name = log_->nameAtCursor(); view == log_ && isRule(name))
                connect(menu.addAction(tr("Show the card of %1").arg(name)), &QAction::triggered,
                        this, [this, name] { showCard(name); });
            QAction* const copy = menu.addAction(tr("Copy the Command That Reproduces This"));
            const QString command = commandOf(view);
            copy->setEnabled(!command.isEmpty());
            copy->setToolTip(command.isEmpty() ? noCommand(view == compare_) : command);
            connect(copy, &QAction::triggered, this, [this, view] { copyCommand(view); });
        });
}

QString MainWindow::commandOf(const QWidget* view) const {
    const SnapshotPtr snapshot = bridge_->snapshot();
    if (!isInItsFile(*snapshot))
        return {};
    const std::optional<std::size_t> point = pareto_->picked();
    std::string command;
    if (view == compare_) // two files: `marquetry compare` takes them
        return {};
    if (view == streams_)
        command = session::circuitCommand(*snapshot);
    else if (view == memories_)
        command = session::banksCommand(*snapshot);
    else if (view == ledger_)
        command = session::designCommand(*snapshot, "ledger");
    else if (view == pareto_ && point && *point < snapshot->points.size())
        command = commandOfPoint(*snapshot, snapshot->points[*point]);
    else
        command = hardwareCommand(*snapshot);
    return QString::fromStdString(command);
}

void MainWindow::copyCommand(const QWidget* view) {
    const QString command = commandOf(view);
    if (command.isEmpty())
        return statusBar()->showMessage(noCommand(view == compare_));
    QApplication::clipboard()->setText(command);
    statusBar()->showMessage(tr("Copied: %1").arg(command));
}

QWidget* MainWindow::viewAtHand() const {
    const QWidget* const focused = focusWidget();
    for (QWidget* const view : views())
        if (view == focused || view->isAncestorOf(focused))
            return view;
    return tabs_->currentWidget();
}

// As the menu key does, which few keyboards have.
void MainWindow::openContextMenu() {
    QWidget* const view = viewAtHand();
    QWidget* const focused = focusWidget();
    QWidget* const at = view == focused || view->isAncestorOf(focused) ? focused : view;
    const QPoint place = at->inputMethodQuery(Qt::ImCursorRectangle).toRect().center();
    QContextMenuEvent asked(QContextMenuEvent::Keyboard, place, at->mapToGlobal(place));
    QApplication::sendEvent(at, &asked);
}

} // namespace marquetry::app
