#include "widgets/pins/pins_view.h"

#include <QAction>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

namespace marquetry::widgets {

PinsView::PinsView(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("pinsView"));
    model_ = new PinModel(this);
    list_ = new QTreeView(this);
    list_->setModel(model_);
    list_->setRootIsDecorated(false);
    list_->setUniformRowHeights(true);
    list_->setAlternatingRowColors(true);
    list_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    list_->setAccessibleName(tr("Pins"));
    list_->setFrameShape(QFrame::NoFrame);
    list_->header()->setStretchLastSection(true);

    remove_ = new QAction(tr("Remove pin"), this);
    remove_->setShortcut(QKeySequence::Delete);
    remove_->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    remove_->setStatusTip(tr("Take the selected pins away; the next extraction is free of them"));
    list_->addAction(remove_);
    auto* button = new QToolButton(this);
    button->setDefaultAction(remove_);
    button->setAutoRaise(true);
    button->setAccessibleName(remove_->text());

    empty_ = new QLabel(tr("No pins. Pin a choice where you see it: in the sharing table, "
                           "the e-graph or the Inspector (Space)."),
                        this);
    empty_->setWordWrap(true);
    empty_->setForegroundRole(QPalette::PlaceholderText);
    conflict_ = new QLabel(this);
    conflict_->setWordWrap(true);
    conflict_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    conflict_->setAccessibleName(tr("Why there is no design"));
    conflict_->setFrameShape(QFrame::StyledPanel);
    conflict_->setMargin(6);
    conflict_->hide();

    auto* row = new QHBoxLayout;
    row->setContentsMargins(6, 4, 6, 0);
    row->addWidget(empty_, 1);
    row->addStretch(0);
    row->addWidget(button, 0, Qt::AlignTop);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addLayout(row);
    layout->addWidget(list_, 1);
    layout->addWidget(conflict_);
    culprits_ = new QWidget(this);
    culprits_->hide();
    auto* buttons = new QVBoxLayout(culprits_);
    buttons->setContentsMargins(6, 0, 6, 4);
    buttons->setSpacing(2);
    layout->addWidget(culprits_);
    banks_ = new QWidget(this);
    banks_->hide();
    auto* bankColumn = new QVBoxLayout(banks_);
    bankColumn->setContentsMargins(6, 0, 6, 4);
    bankColumn->setSpacing(2);
    layout->addWidget(banks_);

    connect(model_, &PinModel::enableRequested, this, &PinsView::enableRequested);
    connect(remove_, &QAction::triggered, this, &PinsView::removeSelected);
    connect(list_->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &PinsView::updateActions);
    updateActions();
}

void PinsView::setSnapshot(const std::shared_ptr<const session::Snapshot>& snapshot) {
    model_->setPins(snapshot->pins);
    empty_->setText(snapshot->pins.empty()
                        ? tr("No pins. Pin a choice where you see it: in the sharing table, the "
                             "e-graph or the Inspector (Space).")
                        : tr("%n pin(s)", nullptr, static_cast<int>(snapshot->pins.size())));
    showConflict(*snapshot);
    showBanks(*snapshot);
    updateActions();
}

void PinsView::showBanks(const session::Snapshot& snapshot) {
    QStringList wanted;
    QStringList memories;
    for (const session::MemoryItem& item : snapshot.memories) {
        if (item.choice.pins.free())
            continue;
        memories << QString::fromStdString(item.program->name);
        wanted << tr("Remove: banks of %1: %2")
                      .arg(memories.back(), QString::fromStdString(text(item.choice.pins)));
    }
    if (wanted == banksShown_)
        return;
    banksShown_ = wanted;
    for (QPushButton* button : bankButtons_)
        button->deleteLater();
    bankButtons_.clear();
    for (int k = 0; k < wanted.size(); ++k) {
        auto* button = new QPushButton(wanted[k], banks_);
        button->setAccessibleName(wanted[k]);
        button->setToolTip(tr("Take these pins away and search all banks again"));
        connect(button, &QPushButton::clicked, this,
                [this, memory = memories[k]] { Q_EMIT banksFreed(memory); });
        banks_->layout()->addWidget(button);
        bankButtons_.push_back(button);
    }
    banks_->setVisible(!wanted.isEmpty());
}

void PinsView::showConflict(const session::Snapshot& snapshot) {
    QStringList lines;
    for (const Diagnostic& diagnostic : snapshot.infeasible) {
        lines << tr("✕ %1").arg(QString::fromStdString(diagnostic.message));
        for (const std::string& note : diagnostic.notes)
            lines << QStringLiteral("    ") + QString::fromStdString(note);
        if (!diagnostic.hint.empty())
            lines << tr("    Try: %1").arg(QString::fromStdString(diagnostic.hint));
    }
    conflict_->setText(lines.isEmpty() ? QString()
                                       : tr("No design fits:") + u'\n' + lines.join(u'\n'));
    conflict_->setVisible(!lines.isEmpty());
    showCulprits(snapshot);
}

/// Pins an extraction named as a minimal conflict.
void PinsView::showCulprits(const session::Snapshot& snapshot) {
    std::vector<design::Pin> wanted;
    for (const Diagnostic& diagnostic : snapshot.infeasible)
        for (const design::Pin& pin : snapshot.pins)
            if (pin.enabled && namesPin(diagnostic, pin))
                wanted.push_back(pin);
    if (wanted == conflicting_)
        return;
    conflicting_ = wanted;
    for (QPushButton* button : conflictButtons_)
        button->deleteLater();
    conflictButtons_.clear();
    for (const design::Pin& pin : conflicting_) {
        auto* button = new QPushButton(tr("Remove: %1").arg(pinText(pin)), culprits_);
        button->setAccessibleName(button->text());
        button->setToolTip(tr("Take this pin away and look for a design again"));
        connect(button, &QPushButton::clicked, this,
                [this, id = pin.id] { Q_EMIT removeRequested(id); });
        culprits_->layout()->addWidget(button);
        conflictButtons_.push_back(button);
    }
    culprits_->setVisible(!conflicting_.empty());
}

void PinsView::removeSelected() {
    QList<int> ids;
    for (const QModelIndex& index : list_->selectionModel()->selectedRows())
        ids << model_->pin(index.row()).id;
    for (const int id : ids)
        Q_EMIT removeRequested(id);
}

void PinsView::updateActions() {
    remove_->setEnabled(list_->selectionModel()->hasSelection());
}

QString PinsView::conflictText() const {
    return conflict_->text();
}

QString PinsView::toText() const {
    QString out;
    for (int row = 0; row < model_->rowCount(); ++row) {
        const design::Pin& pin = model_->pin(row);
        out +=
            (pin.enabled ? QStringLiteral("[x] ") : QStringLiteral("[ ] ")) + pinText(pin) + u'\n';
    }
    for (const QString& line : banksShown_)
        out += QStringLiteral("[x] ") + line.section(QStringLiteral(": "), 1) + u'\n';
    return out + conflict_->text();
}

} // namespace marquetry::widgets
