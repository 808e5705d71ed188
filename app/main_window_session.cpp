#include "app/main_window.h"

#include "app/command_echo.h"
#include "app/elided_label.h"
#include "app/exploration_bar.h"
#include "app/snapshot_fan.h"
#include "app/status_line.h"
#include "widgets/hdl/hdl_view.h"
#include "widgets/log/log_view.h"
#include "widgets/pareto/pareto_view.h"
#include "widgets/pins/pins_view.h"
#include "widgets/program/program_view.h"
#include "widgets/progress/progress_view.h"

#include <QDockWidget>
#include <QFrame>
#include <QLabel>
#include <QStatusBar>

namespace marquetry::app {

namespace {

bool changesPinsByHistory(const session::Command& command) {
    return std::holds_alternative<session::Undo>(command) ||
           std::holds_alternative<session::Redo>(command);
}

QString firstMessage(const Diagnostics& diagnostics) {
    if (diagnostics.empty())
        return QObject::tr("The command was refused.");
    const Diagnostic& first = diagnostics.front();
    QString text = QString::fromStdString(first.message);
    if (!first.hint.empty())
        text += u'\n' + QString::fromStdString(first.hint);
    return text;
}

} // namespace

void MainWindow::connectSession() {
    fan_ = new SnapshotFan(this);
    const auto show = [this](auto* view) {
        fan_->add(view, [view](const SnapshotPtr& snapshot) { view->setSnapshot(snapshot); });
    };
    show(program_);
    show(pareto_);
    show(progress_);
    show(pins_);
    show(hdl_);
    connectViews();
    connect(bridge_.get(), &SessionBridge::snapshotChanged, this, &MainWindow::onSnapshot);
    connect(bridge_.get(), &SessionBridge::acknowledged, this, &MainWindow::onAcknowledged);
    onSnapshot(bridge_->snapshot());
}

void MainWindow::connectViews() {
    connect(pins_, &widgets::PinsView::enableRequested, this, [this](int id, bool enabled) {
        post(session::EnablePin{id, enabled});
    });
    connect(pins_, &widgets::PinsView::removeRequested, this,
            [this](int id) { post(session::RemovePin{id}); });
    connect(hdl_, &widgets::HdlView::verifyRequested, this, &MainWindow::verify);
    connect(hdl_, &widgets::HdlView::exportRequested, this, &MainWindow::askExport);
    connect(pareto_, &widgets::ParetoView::message, this, [this](const QString& text) {
        log_->append(widgets::LogKind::Message, text);
        statusBar()->showMessage(text);
    });
    connect(pareto_, &widgets::ParetoView::limitsRequested, this,
            [this](const device::Resources& resources) {
                session::Settings settings = bridge_->snapshot()->settings;
                settings.limits["dsp"] = resources.dsp;
                settings.limits["bram"] = resources.bram;
                settings.limits["lut"] = resources.lut;
                post(session::ChangeSettings{settings});
            });
}

session::Ticket MainWindow::post(const session::Command& command) {
    echo(command);
    const session::Ticket ticket = bridge_->post(command);
    sent_[ticket] = {command, false};
    return ticket;
}

void MainWindow::echo(const session::Command& command) {
    const std::string line = commandLine(command, *bridge_->snapshot());
    if (!line.empty())
        log_->append(widgets::LogKind::Command, QString::fromStdString(line));
}

void MainWindow::onSnapshot(const SnapshotPtr& snapshot) {
    status_->showText(statusLine(*snapshot));
    bar_->setSettings(snapshot->settings);
    actions_->updateEnabled(*snapshot);
    log_->setSnapshot(snapshot);
    updateTitle(*snapshot);
    updateCentre();
    fan_->publish(snapshot);
    if (echoPinsAt_ != 0 && snapshot->epoch >= echoPinsAt_) {
        echoPinsAt_ = 0;
        echo(session::Run{});
    }
}

void MainWindow::onAcknowledged(const session::Acknowledgement& acknowledgement) {
    const auto at = sent_.find(acknowledgement.ticket);
    const Sent sent = at == sent_.end() ? Sent{} : at->second;
    if (at != sent_.end())
        sent_.erase(at);
    for (const Diagnostic& diagnostic : acknowledgement.diagnostics)
        log_->append(acknowledgement.accepted ? widgets::LogKind::Message : widgets::LogKind::Error,
                     QString::fromStdString(format(diagnostic)).trimmed());
    if (!acknowledgement.accepted) {
        showNotice(firstMessage(acknowledgement.diagnostics));
        return;
    }
    notice_->hide();
    if (std::holds_alternative<session::OpenFile>(sent.command))
        showGallery(false);
    if (changesPinsByHistory(sent.command))
        echoPinsAt_ = acknowledgement.epoch;
    if (sent.thenVerify)
        verify();
}

void MainWindow::showNotice(const QString& text) {
    noticeText_->setText(tr("✕ %1").arg(text));
    notice_->show();
}

QString MainWindow::notice() const {
    return notice_->isHidden() ? QString() : noticeText_->text();
}

void MainWindow::updateTitle(const session::Snapshot& snapshot) {
    const QString file = QString::fromStdString(snapshot.file).section(u'/', -1);
    setWindowTitle(file.isEmpty() ? tr("Marquetry") : tr("%1 — Marquetry").arg(file));
}

} // namespace marquetry::app
