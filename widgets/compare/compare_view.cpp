#include "widgets/compare/compare_view.h"

#include "engine/design/compare.h"
#include "widgets/canvas/export_menu.h"
#include "widgets/compare/comparison_filter.h"
#include "widgets/compare/gantt_pair.h"
#include "widgets/text/elided_label.h"
#include "widgets/text/table_text.h"
#include "widgets/text/view_menu.h"
#include "widgets/theme/theme.h"

#include <QAbstractItemView>
#include <QAction>
#include <QComboBox>
#include <QEvent>
#include <QSignalBlocker>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>

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
    }
    const auto before = b_.shown.design;
    if (!chosen_ && designs_.before().design && designs_.before().design != b_.shown.design)
        b_ = designs_.all().front();
    takeAnswer();
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
    take({tr("found"), {}, {}, point});
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
                                    choice.shown.design == b_.shown.design;
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

/// The design of a point is looked for; that takes a search within the e-graph.
void CompareView::take(CompareChoice choice) {
    b_ = std::move(choice);
    chosen_ = true;
    problem_.clear();
    asked_ = b_.point.has_value();
    begun_ = false;
    fillChoices();
    compareWhenSeen();
    showWords();
    if (asked_)
        Q_EMIT besideRequested(*b_.point);
}

void CompareView::refuse(const Diagnostics& reasons) {
    asked_ = false;
    problem_ = reasons.empty() ? tr("it is not looked for")
                               : QString::fromStdString(reasons.front().message);
    showWords();
}

void CompareView::takeAnswer() {
    const auto& beside = snapshot_->beside;
    if (!asked_)
        return;
    const bool mine = beside && samePoint(beside->point, *b_.point);
    if (!mine && begun_)
        return refuse({makeError("stopped", "the search for it has ended; choose it again")});
    begun_ = mine;
    if (!mine || beside->running)
        return;
    asked_ = false;
    b_.shown = {beside->design, beside->ledger};
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
            {"A", *a.design, a.ledger ? *a.ledger : kNone},
            {"B", *b_.shown.design, b_.shown.ledger ? *b_.shown.ledger : kNone});
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
}

void CompareView::showWords() {
    ofA_->showText(wordsOfA());
    ofB_->showText(wordsOfB());
    const QString note = noteText();
    notes_->setText(note);
    notes_->setVisible(!note.isEmpty());
    keep_->setEnabled(designs_.atHand().design != nullptr);
}

QString CompareView::wordsOfA() const {
    const ShownDesign& a = designs_.atHand();
    return a.design ? tr("A, shown now: %1").arg(designWords(a)) : tr("A: there is no design yet");
}

QString CompareView::wordsOfB() const {
    if (b_.shown.design)
        return tr("B, %1: %2").arg(b_.name, designWords(b_.shown));
    return b_.point ? tr("B, %1").arg(b_.text) : tr("B: none is chosen");
}

QString CompareView::noteText() const {
    if (!designs_.atHand().design)
        return tr("When a design is found, it can be compared with another one here.");
    if (const QString& why = problem_.isEmpty() ? refused_ : problem_; !why.isEmpty())
        return tr("✕ There is no comparison: %1").arg(why);
    if (asked_)
        return tr("Looking for design B …");
    if (!comparison_ || !b_.shown.design)
        return tr("Choose above which design to compare with.");
    QStringList notes;
    if (!designs_.isFound(*b_.shown.design))
        notes << tr("B is not among the designs found now: the settings, the pins or the search "
                    "have changed since.");
    for (const std::string& note : comparison_->notes)
        notes << QString::fromStdString(note);
    return notes.join(u' ');
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
    QAction* const keep = menu->addAction(tr("Keep A as B"));
    keep->setEnabled(designs_.atHand().design != nullptr);
    connect(keep, &QAction::triggered, this, &CompareView::keepShown);
    return menu;
}

Picture CompareView::exported() const {
    return gantt_->exported();
}

/// The header and what the filter lets through, in the order shown.
std::vector<QStringList> CompareView::tableRows(const Page& page, int role) const {
    std::vector<QStringList> rows{page.model->titles()};
    for (int row = 0; row < page.filter->rowCount(); ++row) {
        QStringList& cells = rows.emplace_back();
        for (int column = 0; column < page.filter->columnCount(); ++column)
            cells << page.filter->index(row, column).data(role).toString();
    }
    return rows;
}

QString CompareView::toText() const {
    QString text = QStringLiteral("compare\n") + wordsOfA() + u'\n' + wordsOfB() + u'\n';
    if (const QString note = noteText(); !note.isEmpty())
        text += note + u'\n';
    if (!comparison_)
        return text;
    for (const Page& page : table_)
        for (const QStringList& row : tableRows(page, Qt::DisplayRole))
            text += row.join(QStringLiteral(" | ")) + u'\n';
    return text + gantt_->toText();
}

/// Numbers as they are, not as they are read.
QString CompareView::toCsv() const {
    return csvText(tableRows(pageInFront(), ComparisonModel::PlainRole));
}

QString CompareView::toMarkdown() const {
    return markdownText(tableRows(pageInFront(), Qt::DisplayRole));
}

Status CompareView::exportTo(const QString& path, double scale) const {
    return saveShown(*this, path, scale);
}

} // namespace marquetry::widgets
