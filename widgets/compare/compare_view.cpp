#include "widgets/compare/compare_view.h"

#include "engine/design/compare.h"
#include "widgets/canvas/export_menu.h"
#include "widgets/compare/comparison_filter.h"
#include "widgets/compare/gantt_pair.h"
#include "widgets/compare/hdl_difference_panel.h"
#include "widgets/text/elided_label.h"
#include "widgets/text/view_menu.h"
#include "widgets/theme/theme.h"

#include <QAbstractItemView>
#include <QAction>
#include <QComboBox>
#include <QEvent>
#include <QFileDialog>
#include <QFileSystemWatcher>
#include <QSignalBlocker>
#include <QTabWidget>
#include <QTableView>

namespace marquetry::widgets {

using design::ComparisonRows;

void CompareView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange)
        for (const Page& page : table_)
            if (page.model)
                page.model->setTheme(themeOf(palette()));
    QWidget::changeEvent(event);
}

// ---- which designs ----

void CompareView::setSnapshot(const std::shared_ptr<const session::Snapshot>& snapshot) {
    if (!snapshot)
        return;
    selection_->setSnapshot(snapshot);
    snapshot_ = snapshot;
    const bool another = designs_.setSnapshot(snapshot);
    if (designs_.begunAnew()) {
        b_ = {};
        comparison_.reset();
        chosen_ = asked_ = false;
        problem_.clear();
        watchFile();
    }
    const auto before = b_.shown.design;
    if (!chosen_ && designs_.before().design && designs_.before().design != b_.shown.design)
        b_ = designs_.all().front();
    takeAnswer();
    showHdl();
    fillChoices();
    if (another || b_.shown.design != before)
        compareWhenSeen();
    else
        showWords();
}

void CompareView::compareWhenSeen() {
    due_ = true;
    if (isVisible())
        compare();
}

void CompareView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (due_)
        compare();
}

void CompareView::keepShown() {
    if (!designs_.atHand().design)
        return;
    designs_.keep();
    for (const CompareChoice& choice : designs_.all())
        if (choice.shown.design == designs_.atHand().design)
            return take(choice);
}

void CompareView::compareWith(const design::DesignPoint& point) {
    for (const CompareChoice& choice : designs_.all())
        if (choice.point && samePoint(*choice.point, point))
            return take(choice);
    take({tr("found"), {}, {}, point, {}});
}

void CompareView::compareWithFile(const QString& path) {
    const FileOrigin file = FileOrigin::of(path);
    answered_ = snapshot_ && snapshot_->besideFile ? snapshot_->besideFile->number : 0;
    take({file.title(), file.title(), {}, std::nullopt, file});
}

/// Those of the program at hand are in it; others are refused by name.
void CompareView::chooseFile() {
    auto* const dialog = new QFileDialog(this, tr("Compare with the design of a file"));
    dialog->setObjectName(QStringLiteral("compareFileDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilters({tr("Designs and sessions (*.json *.mqs)"), tr("All files (*)")});
    connect(dialog, &QFileDialog::fileSelected, this, &CompareView::compareWithFile);
    dialog->open();
}

/// Whatever becomes of the file is said at once.
void CompareView::watchFile() {
    if (const QStringList watched = watcher_->files(); !watched.isEmpty())
        watcher_->removePaths(watched);
    if (b_.file.isFile())
        watcher_->addPath(b_.file.path);
}

void CompareView::fillChoices() {
    offered_ = designs_.all();
    QStringList texts{offered_.empty() ? tr("no design to compare with") : tr("compare with …")};
    int current = 0;
    for (const CompareChoice& choice : offered_) {
        texts << choice.text;
        const bool same = choice.point && b_.point
                              ? samePoint(*choice.point, *b_.point)
                              : !choice.point && !b_.point && b_.shown.design &&
                                    choice.shown.design == b_.shown.design &&
                                    choice.file.path == b_.file.path;
        if (same && current == 0)
            current = static_cast<int>(texts.size()) - 1;
    }
    QStringList there;
    for (int k = 0; k < choices_->count(); ++k)
        there << choices_->itemText(k);
    const QSignalBlocker blocker(choices_);
    if (texts != there) {
        choices_->clear();
        choices_->addItems(texts);
        for (int k = 0; k < choices_->count(); ++k)
            choices_->setItemData(k, texts[k], Qt::ToolTipRole);
        constexpr int kAround = 32; // with the bar that scrolls it
        choices_->view()->setMinimumWidth(choices_->view()->sizeHintForColumn(0) + kAround);
    }
    choices_->setCurrentIndex(current);
    choices_->setEnabled(!offered_.empty());
}

void CompareView::choose(int index) {
    if (index > 0 && static_cast<std::size_t>(index) <= offered_.size())
        take(offered_[static_cast<std::size_t>(index) - 1]);
    else
        fillChoices();
}

/// The design of a point is looked for; that takes a search within the e-graph. That of a file is
/// read, which takes another search if it is a session's.
void CompareView::take(CompareChoice choice) {
    b_ = std::move(choice);
    chosen_ = true;
    problem_.clear();
    asked_ = b_.point || (b_.file.isFile() && !b_.shown.design);
    begun_ = false;
    watchFile();
    fillChoices();
    compareWhenSeen();
    showWords();
    if (asked_ && b_.point)
        Q_EMIT besideRequested(*b_.point);
    else if (asked_)
        Q_EMIT fileRequested(b_.file.path);
}

void CompareView::refuse(const Diagnostics& reasons) {
    asked_ = false;
    problem_ = reasons.empty() ? tr("it is not looked for")
                               : QString::fromStdString(reasons.front().message);
    showWords();
}

void CompareView::takeAnswer() {
    if (asked_ && b_.point)
        takePoint();
    else if (asked_)
        takeFile();
}

void CompareView::takeFile() {
    const auto& read = snapshot_->besideFile;
    const bool mine =
        read && read->number > answered_ && QString::fromStdString(read->path) == b_.file.path;
    if (!mine || read->running)
        return;
    asked_ = false;
    if (!read->design) {
        problem_ = read->problem.empty() ? tr("it has no design")
                                         : QString::fromStdString(read->problem.front().message);
        return;
    }
    b_.shown = {read->design, read->ledger, read->bound, read->program};
    QStringList warnings;
    for (const Diagnostic& warning : read->warnings)
        warnings << QString::fromStdString(warning.message) + u'.';
    b_.file.note = warnings.join(u' ');
    designs_.keep(b_.file, b_.shown);
}

void CompareView::takePoint() {
    const auto& beside = snapshot_->beside;
    const bool mine = beside && samePoint(beside->point, *b_.point);
    if (!mine && begun_)
        return refuse({makeError("stopped", "the search for it has ended; choose it again")});
    begun_ = mine;
    if (!mine || beside->running)
        return;
    asked_ = false;
    const auto bound = static_cast<double>(beside->lowerBound);
    b_.shown = {beside->design, beside->ledger, bound > 0 ? std::optional(bound) : std::nullopt,
                snapshot_->program};
    if (!beside->design)
        problem_ = beside->problem.empty()
                       ? tr("it was not found again")
                       : QString::fromStdString(beside->problem.front().message);
}

// ---- what they are ----

void CompareView::compare() {
    static const design::Ledger kNone;
    due_ = false;
    comparison_.reset();
    refused_.clear();
    const ShownDesign& a = designs_.atHand();
    if (a.design && b_.shown.design) {
        const auto compared = design::compareDesigns(
            {"A", *a.design, a.ledger ? *a.ledger : kNone, a.bound},
            {"B", *b_.shown.design, b_.shown.ledger ? *b_.shown.ledger : kNone, b_.shown.bound});
        if (compared)
            comparison_ = std::make_shared<const design::Comparison>(*compared);
        else
            refused_ = QString::fromStdString(compared.error().front().message);
    }
    for (const Page& page : table_)
        page.model->setComparison(comparison_);
    if (snapshot_)
        gantt_->setDesigns(snapshot_, comparison_ ? a.design : nullptr,
                           comparison_ ? b_.shown.design : nullptr);
    showWords();
    askHdl();
}

/// It takes a while, so only for whoever looks.
void CompareView::askHdl() {
    if (!comparison_) {
        hdlOf_ = {};
        return verilog_->showMessage(tr("Nothing is compared yet."));
    }
    const std::array pair{designs_.atHand().design, b_.shown.design};
    const auto& known = verilog_->difference();
    if (known && known->a == pair[0] && known->b == pair[1])
        return;
    if (hdlOf_ != pair)
        verilog_->showMessage({});
    if (hdlOf_ == pair || !isVisible() || pages_->currentWidget() != verilog_)
        return;
    hdlOf_ = pair;
    verilog_->showMessage(tr("Writing and comparing the Verilog of both …"));
    Q_EMIT hdlRequested(designs_.atHand(), b_.shown);
}

void CompareView::showHdl() {
    const auto& difference = snapshot_->hdlDifference;
    if (!difference || difference->running || difference->a != hdlOf_[0] ||
        difference->b != hdlOf_[1] || !comparison_)
        return;
    if (difference->problem.empty())
        verilog_->showDifference(difference);
    else
        refuseHdl(difference->problem);
}

/// Another look asks again.
void CompareView::refuseHdl(const Diagnostics& reasons) {
    const QString why =
        reasons.empty() ? QString() : QString::fromStdString(reasons.front().message);
    verilog_->showMessage(tr("✕ The Verilog is not compared: %1").arg(why));
    hdlOf_ = {};
}

void CompareView::showWords() {
    ofA_->showText(wordsOfA());
    ofB_->showText(wordsOfB());
    const QString note = noteText();
    notes_->setText(note);
    notes_->setVisible(!note.isEmpty());
    keep_->setEnabled(designs_.atHand().design != nullptr);
    fromFile_->setEnabled(designs_.atHand().design != nullptr);
}

// ---- tables ----

QTableView* CompareView::table(ComparisonRows rows) const {
    return table_[static_cast<std::size_t>(rows)].table;
}

ComparisonModel* CompareView::model(ComparisonRows rows) const {
    return table_[static_cast<std::size_t>(rows)].model;
}

/// Of the figures, while both designs are seen over time.
const CompareView::Page& CompareView::pageInFront() const {
    const auto at = static_cast<std::size_t>(pages_->currentIndex());
    return at < table_.size() ? table_[at] : table_[0];
}

void CompareView::onLayer(const QModelIndex& current) {
    const QModelIndex source = table_[1].filter->mapToSource(current);
    if (!source.isValid() || !comparison_)
        return;
    const design::ComparedLayer& layer =
        comparison_->layers[static_cast<std::size_t>(source.row())];
    if (layer.a && !layer.a->unit.empty())
        selection_->select(LayerName{layer.name});
}

QMenu* CompareView::createMenu() {
    auto* menu = new QMenu(this);
    menu->addAction(keep_);
    menu->addAction(fromFile_);
    return menu;
}

} // namespace marquetry::widgets
