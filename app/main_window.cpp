#include "app/main_window.h"

#include "app/recent_files.h"
#include "app/session_keeper.h"
#include "app/wheel_guard.h"
#include "engine/session/design_file.h"
#include "engine/session/session_file.h"
#include "widgets/ledger/ledger_view.h"
#include "widgets/text/elided_label.h"
#include "widgets/theme/theme.h"

#include <QAction>
#include <QApplication>
#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QMimeData>
#include <QScreen>
#include <QTabWidget>

namespace marquetry::app {

namespace {

const QString kGeometryKey = QStringLiteral("geometry");
const QString kDarkKey = QStringLiteral("dark");

constexpr QSize kFirstSize(1600, 1000); ///< where the screen has room for it
constexpr QSize kFrameAround(16, 48);   ///< with the title

QString droppedFile(const QMimeData* data) {
    for (const QUrl& url : data->urls()) {
        const QString file = url.isLocalFile() ? url.toLocalFile() : QString();
        if (file.endsWith(QStringLiteral(".mq")) || file.endsWith(QStringLiteral(".onnx")) ||
            session::isDesignFile(file.toStdString()) || session::isSessionFile(file.toStdString()))
            return file;
    }
    return {};
}

} // namespace

MainWindow::MainWindow(const WindowParams& params, QWidget* parent)
    : QMainWindow(parent),
      settings_(params.settingsFile.isEmpty()
                    ? std::make_unique<QSettings>()
                    : std::make_unique<QSettings>(params.settingsFile, QSettings::IniFormat)),
      examplesFolder_(params.examplesFolder),
      bridge_(std::make_unique<SessionBridge>(params.port)) {
    setObjectName(QStringLiteral("mainWindow"));
    new WheelGuard(this);
    createActions();
    createDocks();
    connectFiles(params.journalFolder);
    connectSession();
    if (!restoreGeometry(settings_->value(kGeometryKey).toByteArray()))
        resize(kFirstSize.boundedTo(screen()->availableSize() - kFrameAround));
    setDark(settings_->value(kDarkKey, false).toBool());
}

// The engine's thread ends before any view goes away.
MainWindow::~MainWindow() {
    ledger_->disconnect(this); // hidden last of all, it would speak to an engine that is gone
    bridge_.reset();
}

void MainWindow::openFile(const QString& path) {
    openItem(path, {});
}

void MainWindow::openItem(const QString& path, const QString& item) {
    whenKept([this, path, item] {
        if (session::isSessionFile(path.toStdString()))
            openSession(path);
        else
            openProgram(path, item);
    });
}

void MainWindow::setDark(bool dark) {
    settings_->setValue(kDarkKey, dark);
    (*actions_)[Act::Dark]->setChecked(dark);
    widgets::applyTheme(*qApp, dark ? widgets::darkTheme() : widgets::lightTheme());
    actions_->updateIcons();
}

void MainWindow::updateWatching() {
    bridge_->setWatching(isVisible() && !isMinimized());
    askChanges();
}

void MainWindow::showEvent(QShowEvent* event) {
    QMainWindow::showEvent(event);
    updateWatching();
}

void MainWindow::hideEvent(QHideEvent* event) {
    QMainWindow::hideEvent(event);
    if (bridge_)
        updateWatching();
}

void MainWindow::changeEvent(QEvent* event) {
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::WindowStateChange && bridge_)
        updateWatching();
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (keeper_->asksToSave() && !closing_) {
        event->ignore();
        return whenKept([this] {
            closing_ = true;
            close();
        });
    }
    keeper_->end();
    settings_->setValue(kGeometryKey, saveGeometry());
    perspectives_->save();
    settings_->sync();
    QMainWindow::closeEvent(event);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (!droppedFile(event->mimeData()).isEmpty())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    const QString path = droppedFile(event->mimeData());
    if (!path.isEmpty())
        openFile(path);
}

} // namespace marquetry::app
