#include "widgets/ledger/changes_panel.h"

#include "widgets/ledger/changes_model.h"
#include "widgets/text/elided_label.h"
#include "widgets/text/table_set_up.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>

#include <utility>

namespace marquetry::widgets {

namespace {

constexpr int kChangeHeight = 24;
constexpr int kLeastChanges = 2; ///< shown in a low window

} // namespace

ChangesPanel::ChangesPanel(QWidget* parent)
    : QWidget(parent), model_(new ChangesModel(this)), table_(new QTableView(this)) {
    createTable();
    auto* title = new QLabel(tr("<b>Best change to try next</b>"), this);
    state_ = new ElidedLabel(this);
    state_->setAccessibleName(tr("How many changes were tried"));
    try_ = new QPushButton(tr("Try It"), this);
    try_->setObjectName(QStringLiteral("tryChange"));
    try_->setAccessibleName(tr("Try the selected change"));
    try_->setToolTip(tr("Change the settings so, and search again; Undo takes it back"));
    stop_ = new QPushButton(this);
    stop_->setObjectName(QStringLiteral("stopChanges"));
    connect(try_, &QPushButton::clicked, this, &ChangesPanel::tryCurrent);
    connect(stop_, &QPushButton::clicked, this, &ChangesPanel::onStop);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(8, 2, 8, 2);
    bar->setSpacing(8);
    bar->addWidget(title);
    bar->addWidget(state_, 1);
    bar->addWidget(stop_);
    bar->addWidget(try_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(bar);
    column->addWidget(table_);
    showChanges();
}

void ChangesPanel::createTable() {
    setUpTable(*table_, model_, tr("Changes to try next"), kChangeHeight);
    table_->horizontalHeader()->setStretchLastSection(false);
    table_->horizontalHeader()->setSectionResizeMode(ChangesModel::Change, QHeaderView::Stretch);
    for (const int column : {ChangesModel::Gain, ChangesModel::Cycles, ChangesModel::Dsp})
        table_->horizontalHeader()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
    table_->setMinimumHeight((kLeastChanges + 1) * kChangeHeight + 6);
    connect(table_, &QTableView::activated, this, &ChangesPanel::tryCurrent);
}

void ChangesPanel::setSnapshot(const std::shared_ptr<const session::Snapshot>& snapshot) {
    design_ = snapshot->design != nullptr;
    ask();
    if (changes_ == snapshot->changes)
        return;
    changes_ = snapshot->changes;
    showChanges();
}

/// The best one is selected until another is, and that one as long as it is there.
void ChangesPanel::showChanges() {
    const int row = table_->currentIndex().row();
    const std::string selected = row > 0 ? model_->change(row).change.text : std::string();
    model_->setChanges(changes_);
    if (model_->rowCount() > 0)
        table_->selectRow(std::max(0, model_->rowOf(selected)));
    state_->showText(stateText());
    try_->setEnabled(model_->rowCount() > 0);
    const bool looking = changes_ && !changes_->complete();
    stop_->setText(looking ? tr("Stop") : tr("Go On"));
    stop_->setAccessibleName(looking ? tr("Stop trying changes") : tr("Go on trying changes"));
    stop_->setVisible(changes_ && (looking || changes_->stopped));
}

QString ChangesPanel::stateText() const {
    if (!changes_)
        return tr("found in the background when a search has come to its end");
    QString text = tr("%1 of %2 tried").arg(changes_->tried.size()).arg(changes_->toTry);
    if (changes_->stopped)
        text = tr("%1, stopped").arg(text);
    return changes_->now.outOfTime ? tr("%1; a limit on time ended the search").arg(text) : text;
}

QString ChangesPanel::toText() const {
    QString text;
    for (int row = 0; row < model_->rowCount(); ++row) {
        QStringList cells;
        for (int column = 0; column < model_->columnCount(); ++column)
            cells << model_->index(row, column).data().toString();
        text += cells.join(QStringLiteral(" | ")) + u'\n';
    }
    return text;
}

void ChangesPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    ask();
}

void ChangesPanel::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    ask();
}

/// A design that goes away, and comes again with the next search, is no reason to ask anew.
void ChangesPanel::ask() {
    const bool wanted = isVisible() && (wanted_ || design_);
    if (std::exchange(wanted_, wanted) != wanted)
        Q_EMIT changesWanted(wanted);
}

void ChangesPanel::tryCurrent() {
    const int row = table_->currentIndex().row();
    if (row >= 0)
        Q_EMIT tryRequested(model_->change(row).change.settings);
}

void ChangesPanel::onStop() {
    Q_EMIT changesStopped(changes_ && !changes_->stopped);
}

} // namespace marquetry::widgets
