#include "app/main_window.h"

#include "app/exploration_bar.h"
#include "app/program_watch.h"
#include "app/session_keeper.h"
#include "app/snapshot_fan.h"
#include "app/status_line.h"
#include "app/sweep_watch.h"
#include "engine/session/design_file.h"
#include "widgets/compare/compare_view.h"
#include "widgets/egraph/egraph_view.h"
#include "widgets/hdl/hdl_view.h"
#include "widgets/inspector/inspector_view.h"
#include "widgets/ledger/ledger_view.h"
#include "widgets/log/log_view.h"
#include "widgets/memories/memories_view.h"
#include "widgets/models/selection_model.h"
#include "widgets/pareto/pareto_view.h"
#include "widgets/pins/pins_view.h"
#include "widgets/program/program_view.h"
#include "widgets/progress/progress_view.h"
#include "widgets/rules/rules_view.h"
#include "widgets/schedule/schedule_view.h"
#include "widgets/sharing/sharing_view.h"
#include "widgets/streams/streams_view.h"
#include "widgets/text/elided_label.h"

#include <QDockWidget>
#include <QFrame>
#include <QLabel>
#include <QStatusBar>
#include <QTabWidget>

#include <algorithm>
#include <utility>

namespace marquetry::app {

namespace {

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
    show(rules_);
    show(pins_);
    show(hdl_);
    show(egraphView_);
    show(ledger_);
    show(schedule_);
    show(sharing_);
    show(streams_);
    show(memories_);
    show(inspector_);
    connectViews();
    connectSelection();
    connect(bridge_.get(), &SessionBridge::snapshotChanged, this, &MainWindow::onSnapshot);
    connect(bridge_.get(), &SessionBridge::acknowledged, this, &MainWindow::onAcknowledged);
    onSnapshot(bridge_->snapshot());
}

template <class View>
void MainWindow::connectPins(View* view) {
    connect(view, &View::pinRequested, this,
            [this](const design::Pin& pin) { post(session::AddPin{pin}); });
    connect(view, &View::unpinRequested, this, [this](int id) { post(session::RemovePin{id}); });
    connect(view, &View::message, this, &MainWindow::tell);
}

template <class View>
void MainWindow::connectWhatIf(View* view) {
    connect(view, &View::whatIfRequested, this,
            [this](const design::Pin& pin) { post(session::AskWhatIf{pin}); });
}

template <class View>
void MainWindow::connectFocus(View* view) {
    connect(view, &View::focusRequested, this, [this](const widgets::Subject& subject) {
        tabs_->setCurrentWidget(egraphView_);
        egraphView_->focusOn(subject);
    });
}

void MainWindow::tell(const QString& text) {
    log_->append(widgets::LogKind::Message, text);
    statusBar()->showMessage(text);
}

void MainWindow::connectViews() {
    connectPins(egraphView_);
    connectPins(ledger_);
    connectLedger();
    connectPins(schedule_);
    connectSchedule();
    connectCompare();
    connectPins(sharing_);
    connectPins(inspector_);
    connectWhatIf(sharing_);
    connectWhatIf(inspector_);
    connect(sharing_, &widgets::SharingView::whatIfDropped, this, [this] {
        if (bridge_->snapshot()->whatIf)
            post(session::AskWhatIf{});
    });
    connect(inspector_, &widgets::InspectorView::whatIfRequested, this,
            [this] { tabs_->setCurrentWidget(sharing_); });
    connectFocus(ledger_);
    connectFocus(schedule_);
    connectFocus(sharing_);
    connectFocus(inspector_);
    createContextMenus();
    connectPinsView();
    connectPareto();
    connectRules();
    connectMemories();
    connectStreams();
    connect(hdl_, &widgets::HdlView::verifyRequested, this, [this] { verify(); });
    connect(hdl_, &widgets::HdlView::exportRequested, this, [this] { askExport(); });
}

void MainWindow::connectLedger() {
    connect(ledger_, &widgets::LedgerView::changesWanted, this, [this](bool wanted) {
        changesInSight_ = wanted;
        askChanges();
    });
    connect(ledger_, &widgets::LedgerView::changesStopped, this,
            [this](bool stopped) { post(session::StopChanges{stopped}); });
    connect(ledger_, &widgets::LedgerView::tryRequested, this,
            [this](const session::Settings& settings) { post(session::ChangeSettings{settings}); });
    connect(tabs_, &QTabWidget::currentChanged, this, [this] { ledgerDue_ = false; });
}

void MainWindow::connectCompare() {
    connect(compare_, &widgets::CompareView::besideRequested, this,
            [this](const design::DesignPoint& point) { post(session::AskBeside{point}); });
    connect(compare_, &widgets::CompareView::fileRequested, this,
            [this](const QString& path) { post(session::AskFile{path.toStdString()}); });
    connect(compare_, &widgets::CompareView::hdlRequested, this,
            [this](const widgets::ShownDesign& a, const widgets::ShownDesign& b) {
                post(session::AskHdlDifference{{a.design, a.program}, {b.design, b.program}});
            });
    connect(compare_, &widgets::CompareView::message, this, &MainWindow::tell);
    connect(ledger_, &widgets::LedgerView::compareRequested, this, [this] {
        compare_->keepShown();
        tabs_->setCurrentWidget(compare_);
    });
    connect(pareto_, &widgets::ParetoView::compareRequested, this,
            [this](const design::DesignPoint& point) {
                compare_->compareWith(point);
                tabs_->setCurrentWidget(compare_);
            });
}

/// They keep a processor busy: only while somebody can see them.
void MainWindow::askChanges() {
    const bool wanted = changesInSight_ && isVisible() && !isMinimized();
    if (std::exchange(changesAsked_, wanted) != wanted)
        post(session::AskChanges{wanted});
}

/// Where the time goes is the first thing to see of a design. Whoever chose another view since
/// keeps it.
void MainWindow::greetLedger(const session::Snapshot& snapshot) {
    const bool over =
        snapshot.phase == session::Phase::Ready || snapshot.phase == session::Phase::Writing;
    if (!ledgerDue_ || !over || !snapshot.design)
        return;
    ledgerDue_ = false;
    if (ledgerGreeted_.insert(snapshot.file).second)
        tabs_->setCurrentWidget(ledger_);
}

void MainWindow::connectPinsView() {
    connect(pins_, &widgets::PinsView::enableRequested, this, [this](int id, bool enabled) {
        post(session::EnablePin{id, enabled});
    });
    connect(pins_, &widgets::PinsView::removeRequested, this,
            [this](int id) { post(session::RemovePin{id}); });
    connect(pins_, &widgets::PinsView::banksFreed, this, [this](const QString& memory) {
        post(session::PinBanks{memory.toStdString(), {}});
    });
}

void MainWindow::connectPareto() {
    connect(pareto_, &widgets::ParetoView::message, this, &MainWindow::tell);
    connect(pareto_, &widgets::ParetoView::designRequested, this,
            [this](const design::DesignPoint& point) { post(session::ChoosePoint{point}); });
    connect(pareto_, &widgets::ParetoView::limitsRequested, this,
            [this](const device::Resources& resources) {
                session::Settings settings = bridge_->snapshot()->settings;
                settings.limits["dsp"] = resources.dsp;
                settings.limits["bram"] = resources.bram;
                settings.limits["lut"] = resources.lut;
                post(session::ChangeSettings{settings});
            });
    connect(pareto_, &widgets::ParetoView::settingsRequested, this,
            [this](const session::Settings& settings) { post(session::ChangeSettings{settings}); });
    auto* sweeps = new SweepWatch(this);
    connect(pareto_, &widgets::ParetoView::sweepChosen, sweeps, &SweepWatch::watch);
    connect(sweeps, &SweepWatch::changed, pareto_, &widgets::ParetoView::setSweep);
    connect(sweeps, &SweepWatch::failed, this, &MainWindow::report);
}

void MainWindow::connectRules() {
    connectFocus(rules_);
    connect(rules_, &widgets::RulesView::message, this, &MainWindow::tell);
    connect(rules_, &widgets::RulesView::groupSwitched, this,
            [this](const QString& group, bool on) {
                post(session::SwitchRules{group.toStdString(), on});
            });
    connectCards();
}

void MainWindow::connectMemories() {
    using widgets::MemoriesView;
    connect(memories_, &MemoriesView::message, this, &MainWindow::tell);
    connect(memories_, &MemoriesView::showRequested, this,
            [this](const QString& item) { post(session::ShowMemory{item.toStdString()}); });
    connect(memories_, &MemoriesView::chooseRequested, this,
            [this](const QString& item, const session::SchemeName& scheme) {
                post(session::ChooseBanks{item.toStdString(), scheme});
            });
    connect(memories_, &MemoriesView::pinRequested, this,
            [this](const QString& item, const banking::SchemePins& pins) {
                post(session::PinBanks{item.toStdString(), pins});
            });
    connect(memories_, &MemoriesView::tryRequested, this,
            [this](const QString& item, const session::SchemeName& scheme) {
                post(session::TryBanks{item.toStdString(), scheme});
            });
    connect(memories_, &MemoriesView::hardwareRequested, this, &MainWindow::askExport);
    connect(memories_, &MemoriesView::verifyRequested, this, &MainWindow::verify);
}

/// A file whose memories were asked for, or that has nothing else, opens with them in sight.
void MainWindow::greetMemories(const session::Snapshot& snapshot) {
    const auto first = snapshot.hasMemoryItems() ? snapshot.memories.front().program : nullptr;
    if (first == greeted_)
        return;
    greeted_ = first;
    const bool asked = first && snapshot.memories[snapshot.memory].program->name == snapshot.item;
    if (first && (asked || !snapshot.program))
        tabs_->setCurrentWidget(memories_);
}

void MainWindow::connectStreams() {
    using widgets::StreamsView;
    connect(streams_, &StreamsView::message, this, &MainWindow::tell);
    connect(streams_, &StreamsView::showRequested, this,
            [this](const QString& item) { post(session::ShowStream{item.toStdString()}); });
    connect(streams_, &StreamsView::throughputRequested, this,
            [this](const QString& item, qint64 atoms, qint64 clocks) {
                post(session::SetThroughput{item.toStdString(), {atoms, clocks}});
            });
    connect(streams_, &StreamsView::chooseRequested, this,
            [this](const QString& item, qint64 clocks, const session::CircuitName& circuit) {
                post(session::ChooseCircuit{item.toStdString(), clocks, circuit});
            });
    connect(streams_, &StreamsView::pinRequested, this,
            [this](const QString& item, qint64 clocks, const QString& type) {
                post(session::PinOutputType{item.toStdString(), clocks, type.toStdString()});
            });
}

/// A file whose streams were asked for, or that has no design, opens with them in sight.
void MainWindow::greetStreams(const session::Snapshot& snapshot) {
    const auto first = snapshot.streams.empty() ? nullptr : snapshot.streams.front().program;
    if (first == greetedStream_)
        return;
    greetedStream_ = first;
    const bool asked = first && snapshot.streams[snapshot.stream].program->name == snapshot.item;
    const bool alone = !snapshot.program && !snapshot.hasMemoryItems();
    if (first && (asked || alone))
        tabs_->setCurrentWidget(streams_);
}

session::Ticket MainWindow::post(const session::Command& command) {
    const session::Ticket ticket = bridge_->post(command);
    sent_[ticket].command = command;
    updateActions();
    return ticket;
}

// A search that was asked for counts as running before its first snapshot is here: it can be paused
// and stopped at once.
void MainWindow::updateActions() {
    const bool asked = std::any_of(sent_.begin(), sent_.end(), [](const auto& entry) {
        return std::holds_alternative<session::Run>(entry.second.command);
    });
    actions_->updateEnabled(*bridge_->snapshot(), asked);
}

void MainWindow::onSnapshot(const SnapshotPtr& snapshot) {
    status_->showText(statusLine(*snapshot));
    const std::string failure = format(snapshot->failure);
    if (!failure.empty() && failure != reported_)
        report(snapshot->failure);
    reported_ = failure;
    bar_->setSettings(snapshot->settings);
    updateActions();
    log_->setSnapshot(snapshot);
    keeper_->follow(*snapshot);
    watch_->follow(QString::fromStdString(snapshot->file));
    updateTitle();
    tellOfSession(*snapshot);
    leaveGonePinsOut(*snapshot);
    greetMemories(*snapshot);
    greetStreams(*snapshot);
    greetLedger(*snapshot);
    endReloadOffer(*snapshot);
    updateCentre();
    selection_->setSnapshot(snapshot);
    compare_->setSnapshot(snapshot);
    fan_->publish(snapshot);
}

void MainWindow::onAcknowledged(const session::Acknowledgement& acknowledgement) {
    const auto at = sent_.find(acknowledgement.ticket);
    const Sent sent = at == sent_.end() ? Sent{} : at->second;
    if (at != sent_.end())
        sent_.erase(at);
    updateActions();
    if (const auto* file = std::get_if<session::OpenFile>(&sent.command)) {
        showGallery(false);
        if (acknowledgement.accepted && session::isDesignFile(file->path))
            beginDesign(file->path, acknowledgement.epoch);
    }
    if (std::holds_alternative<session::Run>(sent.command))
        ledgerDue_ = acknowledgement.accepted;
    if (std::holds_alternative<session::OpenSession>(sent.command))
        return onSessionAnswer(sent, acknowledgement);
    const bool byHand = sent.byHand && !std::holds_alternative<session::AskProof>(sent.command) &&
                        !std::holds_alternative<session::AskChanges>(sent.command) &&
                        !std::holds_alternative<session::ListExport>(sent.command);
    if (!acknowledgement.accepted) {
        if (std::holds_alternative<session::AskBeside>(sent.command) ||
            std::holds_alternative<session::AskFile>(sent.command))
            return compare_->refuse(acknowledgement.diagnostics);
        if (std::holds_alternative<session::AskHdlDifference>(sent.command))
            return compare_->refuseHdl(acknowledgement.diagnostics);
        if (byHand)
            report(acknowledgement.diagnostics);
        return;
    }
    if (byHand)
        notice_->hide();
    if (sent.thenVerify)
        verify(QString::fromStdString(std::get<session::Export>(sent.command).item));
}

void MainWindow::report(const Diagnostics& diagnostics) {
    showNotice(firstMessage(diagnostics));
}

void MainWindow::showNotice(const QString& text) {
    noticeText_->setText(tr("✕ %1").arg(text));
    notice_->show();
}

QString MainWindow::notice() const {
    return notice_->isHidden() ? QString() : noticeText_->text();
}

} // namespace marquetry::app
