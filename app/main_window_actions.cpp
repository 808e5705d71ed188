#include "app/main_window.h"

#include "app/command_palette.h"
#include "app/exploration_bar.h"
#include "app/export_dialog.h"
#include "app/recent_files.h"
#include "app/report_pictures.h"
#include "app/settings_dialog.h"
#include "widgets/hdl/hdl_view.h"
#include "widgets/memories/memories_view.h"
#include "widgets/streams/streams_view.h"
#include "widgets/text/elided_label.h"

#include <QAction>
#include <QDir>
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QStatusBar>
#include <QTabWidget>
#include <QToolBar>

namespace marquetry::app {

void MainWindow::createActions() {
    actions_ = new WindowActions(this);
    recent_ = new RecentFiles(*settings_, this);
    connect(recent_, &RecentFiles::openRequested, this, &MainWindow::openFile);
    createToolbar();
    createMenus();
    connectActions();
    statusBar()->setSizeGripEnabled(true);
    setAcceptDrops(true);
}

void MainWindow::createToolbar() {
    QToolBar* bar = addToolBar(tr("Main toolbar"));
    bar->setObjectName(QStringLiteral("mainToolbar"));
    bar->setMovable(false);
    bar->setIconSize({18, 18});
    bar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    bar->toggleViewAction()->setStatusTip(tr("Show or hide the toolbar"));
    for (const Act act : {Act::Open, Act::Run, Act::Pause, Act::Step, Act::Stop})
        bar->addAction((*actions_)[act]);
    bar->insertSeparator((*actions_)[Act::Run]);
    bar->addSeparator();
    bar_ = new ExplorationBar(bar);
    bar->addWidget(bar_);
    bar->addSeparator();
    status_ = new widgets::ElidedLabel(bar);
    status_->setObjectName(QStringLiteral("statusLine"));
    status_->setAccessibleName(tr("State of the exploration"));
    status_->setContentsMargins(8, 0, 8, 0);
    status_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    bar->addWidget(status_);
}

void MainWindow::createMenus() {
    WindowActions& act = *actions_;
    QMenu* file = menuBar()->addMenu(tr("&File"));
    file->addAction(act[Act::Open]);
    file->addAction(act[Act::Gallery]);
    QMenu* recent = file->addMenu(tr("Open &Recent"));
    recent->menuAction()->setStatusTip(tr("Programs, designs and sessions opened lately"));
    recent_->attach(recent);
    file->addAction(act[Act::Reload]);
    file->addSeparator();
    for (const Act each : {Act::SaveSession, Act::SaveSessionAs, Act::Recover})
        file->addAction(act[each]);
    file->addSeparator();
    file->addAction(act[Act::Export]);
    file->addSeparator();
    file->addAction(act[Act::Quit]);
    QMenu* edit = menuBar()->addMenu(tr("&Edit"));
    for (const Act each :
         {Act::Undo, Act::Redo, Act::FindInHdl, Act::CopyCommand, Act::ContextMenu})
        edit->addAction(act[each]);
    QMenu* explore = menuBar()->addMenu(tr("E&xplore"));
    for (const Act each : {Act::Run, Act::Pause, Act::Step, Act::Stop})
        explore->addAction(act[each]);
    explore->addSeparator();
    explore->addAction(act[Act::Settings]);
    explore->addSeparator();
    for (const Act each : {Act::Verify, Act::VerifyVerilator, Act::VerifyIcarus})
        explore->addAction(act[each]);
    viewMenu_ = menuBar()->addMenu(tr("&View"));
    QMenu* help = menuBar()->addMenu(tr("&Help"));
    help->addAction(act[Act::Palette]);
    help->addAction(act[Act::Shortcuts]);
    help->addAction(act[Act::About]);
}

void MainWindow::createViewMenu() {
    WindowActions& act = *actions_;
    for (const Act each : {Act::Explore, Act::Inspect, Act::ExportView})
        viewMenu_->addAction(act[each]);
    viewMenu_->addAction(act[Act::ResetLayout]);
    viewMenu_->addSeparator();
    for (int tab = 0; tab < tabs_->count(); ++tab) {
        QWidget* const view = tabs_->widget(tab);
        QAction* const show = viewMenu_->addAction(tr("Show %1").arg(tabs_->tabText(tab)));
        show->setStatusTip(tr("Bring the view %1 to the front").arg(tabs_->tabText(tab)));
        connect(show, &QAction::triggered, this, [this, view] {
            showGallery(false);
            tabs_->setCurrentWidget(view);
        });
    }
    viewMenu_->addSeparator();
    for (QDockWidget* dock : docks_.all())
        if (dock)
            viewMenu_->addAction(dock->toggleViewAction());
    viewMenu_->addSeparator();
    viewMenu_->addAction(act[Act::Dark]);
}

void MainWindow::connectActions() {
    WindowActions& act = *actions_;
    const auto on = [&](Act which, auto handler) {
        connect(act[which], &QAction::triggered, this, handler);
    };
    on(Act::Open, [this] { chooseFile(); });
    on(Act::Gallery, [this] { showGallery(true); });
    on(Act::Reload, [this] {
        post(session::OpenFile{bridge_->snapshot()->file, bridge_->snapshot()->item});
    });
    on(Act::SaveSession, [this] { saveSession(); });
    on(Act::SaveSessionAs, [this] { saveSessionAs(); });
    on(Act::Recover, [this] { offerRecovery(); });
    on(Act::Quit, [this] { close(); });
    on(Act::Undo, [this] { post(session::Undo{}); });
    on(Act::Redo, [this] { post(session::Redo{}); });
    on(Act::FindInHdl, [this] {
        tabs_->setCurrentWidget(hdl_);
        hdl_->focusFind();
    });
    on(Act::CopyCommand, [this] { copyCommand(viewAtHand()); });
    on(Act::ContextMenu, [this] { openContextMenu(); });
    on(Act::Run, [this] { post(session::Run{}); });
    on(Act::Pause, [this] { post(session::Pause{}); });
    on(Act::Step, [this] { post(session::StepOnce{}); });
    on(Act::Stop, [this] { post(session::StopRun{}); });
    on(Act::Settings, [this] { askSettings(); });
    on(Act::Export, [this] { askExport(itemInView()); });
    on(Act::Verify, [this] { verify(); });
    on(Act::Explore, [this] { perspectives_->enter(Perspective::Explore); });
    on(Act::Inspect, [this] { perspectives_->enter(Perspective::Inspect); });
    on(Act::ExportView, [this] { perspectives_->enter(Perspective::Export); });
    on(Act::ResetLayout, [this] { perspectives_->reset(); });
    on(Act::Dark, [this](bool dark) { setDark(dark); });
    on(Act::Palette, [this] { (new CommandPalette(*this))->open(); });
    on(Act::Shortcuts, [this] { makeKeySheet(*this)->open(); });
    on(Act::About, [this] { showAbout(); });
    connect(bar_, &ExplorationBar::settingsRequested, this,
            [this](const session::Settings& settings) { post(session::ChangeSettings{settings}); });
}

void MainWindow::chooseFile() {
    auto* dialog = new QFileDialog(this, tr("Open a Program"));
    dialog->setObjectName(QStringLiteral("openDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilters(
        {tr("Programs, networks, designs and sessions (*.mq *.onnx *.json *.mqs)"),
         tr("All files (*)")});
    const QString file = QString::fromStdString(bridge_->snapshot()->file);
    dialog->setDirectory(file.isEmpty() ? examplesFolder_ : QFileInfo(file).absolutePath());
    connect(dialog, &QFileDialog::fileSelected, this, &MainWindow::openFile);
    dialog->open();
}

void MainWindow::askSettings() {
    auto* dialog = new SettingsDialog(*bridge_->snapshot(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this,
            [this, dialog] { post(session::ChangeSettings{dialog->settings()}); });
    dialog->open();
}

QString MainWindow::itemInView() const {
    const SnapshotPtr snapshot = bridge_->snapshot();
    const QWidget* const view = tabs_->currentWidget();
    if (view == streams_ && snapshot->stream < snapshot->streams.size())
        return QString::fromStdString(snapshot->streams[snapshot->stream].program->name);
    if (view == memories_ && snapshot->memory < snapshot->memories.size())
        return QString::fromStdString(snapshot->memories[snapshot->memory].program->name);
    return {};
}

void MainWindow::workOut(const ExportItem& item) {
    if (item.kind == ExportItem::Kind::Stream)
        post(session::ShowStream{item.item});
    else
        post(session::ShowMemory{item.item});
}

void MainWindow::askExport(const QString& item) {
    auto* dialog = new ExportDialog(bridge_->snapshot(), item, *settings_, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &ExportDialog::listingRequested, this,
            [this](const session::ListExport& wanted) { post(wanted); });
    connect(dialog, &ExportDialog::showRequested, this, &MainWindow::workOut);
    connect(dialog, &ExportDialog::settingsRequested, this, &MainWindow::askSettings);
    connect(bridge_.get(), &SessionBridge::snapshotChanged, dialog,
            [dialog](const SnapshotPtr& snapshot) { dialog->setSnapshot(snapshot); });
    connect(dialog, &QDialog::finished, this, [this] { post(session::ListExport{}); });
    connect(dialog, &QDialog::accepted, this, [this, dialog] { exportAs(*dialog); });
    dialog->begin();
    dialog->open();
}

void MainWindow::exportAs(ExportDialog& dialog) {
    dialog.remember();
    session::Export command = dialog.command();
    if (command.pictures)
        command.pictures = std::make_shared<const std::vector<hdl::ReportPicture>>(
            reportPictures(bridge_->snapshot(), command.item));
    const session::Ticket ticket = post(command);
    if (const auto sent = sent_.find(ticket); sent != sent_.end())
        sent->second.thenVerify = dialog.verifyAfterwards();
}

void MainWindow::verify(const QString& item) {
    session::Verify command;
    command.item = item.toStdString();
    if ((*actions_)[Act::VerifyIcarus]->isChecked())
        command.simulator = "iverilog";
    tabs_->setCurrentWidget(hdl_);
    post(command);
}

void MainWindow::showAbout() {
    auto* box = new QMessageBox(
        QMessageBox::NoIcon, tr("About Marquetry"),
        tr("<b>Marquetry %1</b><br>An explorer of streaming accelerators for FPGAs.<br><br>"
           "Free software under the GNU General Public License, version 3 or later. "
           "Plots are drawn by QCustomPlot, graphs are laid out by Graphviz.")
            .arg(QStringLiteral(MARQUETRY_VERSION)),
        QMessageBox::Close, this);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->open();
}

} // namespace marquetry::app
