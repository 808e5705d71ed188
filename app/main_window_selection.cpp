// What is selected, and where it is in the views that have no selection of their own: the source,
// the Verilog.
#include "app/main_window.h"
#include "widgets/egraph/egraph_view.h"
#include "widgets/hdl/hdl_view.h"
#include "widgets/inspector/inspector_view.h"
#include "widgets/log/log_view.h"
#include "widgets/models/selection_model.h"
#include "widgets/program/program_view.h"
#include "widgets/rules/rules_view.h"
#include "widgets/schedule/schedule_view.h"
#include "widgets/text/code_view.h"

#include <QDockWidget>
#include <QStatusBar>

#include <utility>

namespace marquetry::app {

void MainWindow::connectSelection() {
    connect(selection_, &widgets::SelectionModel::changed, this, &MainWindow::onSelection);
    connect(program_, &widgets::ProgramView::layerPicked, this, [this](const QString& layer) {
        selection_->select(widgets::LayerName{layer.toStdString()});
    });
    connect(hdl_, &widgets::HdlView::unitPicked, this, [this](const QString& name) {
        const SnapshotPtr snapshot = bridge_->snapshot();
        if (!snapshot->design)
            return;
        for (const design::DesignUnit& unit : snapshot->design->units)
            if (unit.name == name.toStdString())
                selection_->select(unit.id);
    });
}

void MainWindow::onSelection() {
    const widgets::Linked& linked = selection_->linked();
    QStringList layers;
    for (const std::string& layer : linked.layers)
        layers << QString::fromStdString(layer);
    program_->showLayers(layers);
    const SnapshotPtr snapshot = bridge_->snapshot();
    if (linked.units.size() == 1 && snapshot->design)
        hdl_->showUnit(QString::fromStdString(snapshot->design->unit(linked.units[0]).name));
    askProof(linked);
    if (!widgets::isEmpty(selection_->subject()))
        statusBar()->showMessage(widgets::describe(selection_->subject(), *snapshot));
}

/// The Inspector shows the proof of the first call of what is selected.
void MainWindow::askProof(const widgets::Linked& linked) {
    const SnapshotPtr snapshot = bridge_->snapshot();
    const bool resting = snapshot->phase == session::Phase::Ready ||
                         snapshot->phase == session::Phase::Paused ||
                         snapshot->phase == session::Phase::Writing;
    if (!resting || !snapshot->design || linked.calls.empty() || linked.units.size() != 1)
        return;
    const std::string& layer = snapshot->design->call(linked.calls.front()).layer;
    if (!snapshot->proofs.contains(layer) && askedProof_ != std::pair(snapshot->design, layer)) {
        askedProof_ = {snapshot->design, layer};
        post(session::AskProof{layer});
    }
}

void MainWindow::connectCards() {
    const auto ask = [this](const QString& rule) {
        post(session::AskWithoutRule{rule.toStdString()});
    };
    connect(rules_, &widgets::RulesView::withoutRuleRequested, this, ask);
    connect(inspector_, &widgets::InspectorView::withoutRuleRequested, this, ask);
    connect(rules_, &widgets::RulesView::cardRequested, this, &MainWindow::showCard);
    connect(egraphView_, &widgets::EGraphView::cardRequested, this, &MainWindow::showCard);
    connect(log_, &widgets::LogView::nameDoubleClicked, this, [this](const QString& name) {
        if (isRule(name))
            showCard(name);
    });
}

bool MainWindow::isRule(const QString& name) const {
    return selection_->index()->exists(widgets::RuleName{name.toStdString()});
}

void MainWindow::showCard(const QString& rule) {
    selection_->select(widgets::RuleName{rule.toStdString()});
    docks_.inspector->show();
    docks_.inspector->raise();
}

void MainWindow::connectSchedule() {
    connect(schedule_, &widgets::ScheduleView::valuePicked, program_,
            &widgets::ProgramView::showValue);
    connect(schedule_, &widgets::ScheduleView::sourceRequested, this, &MainWindow::showSource);
}

void MainWindow::showSource(const QString& value) {
    docks_.program->show();
    docks_.program->raise();
    program_->showValue(value);
    program_->code()->setFocus(Qt::OtherFocusReason);
}

} // namespace marquetry::app
