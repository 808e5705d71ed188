// What the view offers: actions, its menus.
#include "widgets/pareto/pareto_view.h"

#include "widgets/canvas/export_menu.h"
#include "widgets/text/view_menu.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QMenu>
#include <QTableView>
#include <QToolButton>

namespace marquetry::widgets {

void ParetoView::createActions() {
    makeCurrent_ = new QAction(tr("Make it the current design"), this);
    connect(makeCurrent_, &QAction::triggered, this, &ParetoView::requestDesign);
    useLimits_ = new QAction(tr("Use its resources as limits"), this);
    connect(useLimits_, &QAction::triggered, this, &ParetoView::requestLimits);
    compare_ = new QAction(tr("Compare the current design with it"), this);
    connect(compare_, &QAction::triggered, this, [this] {
        if (picked_)
            Q_EMIT compareRequested(snapshot_->points[*picked_]);
    });
    clearRange_ = new QAction(tr("Take the range away"), this);
    connect(clearRange_, &QAction::triggered, this, [this] { setRange(std::nullopt); });
    copyFigures_ = new QAction(tr("Copy its figures"), this);
    connect(copyFigures_, &QAction::triggered, this, [this] {
        if (picked_)
            QApplication::clipboard()->setText(pointText(snapshot_->points[*picked_]));
    });
}

QToolButton* ParetoView::menuButton(const QString& text, const QString& name, QMenu* menu) {
    auto* button = new QToolButton(this);
    button->setText(text);
    button->setAccessibleName(name);
    button->setPopupMode(QToolButton::InstantPopup);
    button->setMenu(menu);
    button->setAutoRaise(true);
    return button;
}

QMenu* ParetoView::createExportMenu() {
    auto* menu = new QMenu(this);
    addExports(menu, this, tr("Export the Pareto plot"), QStringLiteral("pareto"),
               {{tr("PNG…"), "png"},
                {tr("PNG, 2×…"), "png", 2},
                {tr("SVG…"), "svg"},
                {tr("PDF…"), "pdf"},
                {tr("CSV…"), "csv"}});
    menu->addSeparator();
    connect(menu->addAction(tr("Copy as CSV")), &QAction::triggered, this, [this] {
        if (snapshot_)
            QApplication::clipboard()->setText(paretoCsv(snapshot_->points));
    });
    return menu;
}

/// Of the earlier front under the pointer, and of all of them.
void ParetoView::addEarlierEntries(QMenu* menu, QPointF pixel) {
    if (history_.earlier().empty())
        return;
    menu->addSeparator();
    if (const auto under = earlierAt(pixel)) {
        const EarlierFront& front = history_.earlier()[under->first];
        QAction* const back =
            menu->addAction(tr("Search again with %1").arg(settingsThen(front, *snapshot_)));
        back->setEnabled(front.pins == snapshot_->pins);
        back->setToolTip(back->isEnabled() ? tr("Undo takes it back")
                                           : tr("Its pins were others: undo brings them back"));
        connect(back, &QAction::triggered, this,
                [this, settings = front.settings] { Q_EMIT settingsRequested(settings); });
    }
    connect(menu->addAction(tr("Forget the earlier fronts")), &QAction::triggered, this, [this] {
        history_.forget();
        earlier_->hide();
        refresh();
    });
}

void ParetoView::contextMenuEvent(QContextMenuEvent* event) {
    const QPointF pixel = plot_->mapFrom(this, event->pos());
    const bool byMouse = event->reason() == QContextMenuEvent::Mouse;
    if (const auto index = byMouse ? pointAt(pixel) : std::nullopt)
        pick(*index);
    useLimits_->setEnabled(picked_.has_value());
    compare_->setEnabled(picked_ && snapshot_->design && snapshot_->points[*picked_].feasible);
    makeCurrent_->setEnabled(picked_ && snapshot_->points[*picked_].feasible);
    copyFigures_->setEnabled(picked_.has_value());
    clearRange_->setEnabled(range_.has_value());
    auto* const menu = new QMenu(this);
    for (QAction* const action : {makeCurrent_, useLimits_, compare_, copyFigures_})
        menu->addAction(action);
    addEarlierEntries(menu, pixel);
    menu->addSeparator();
    menu->addAction(clearRange_);
    connect(menu->addAction(tr("Show everything")), &QAction::triggered, this, [this] {
        plot_->fit();
        plot_->replot();
    });
    const bool inList =
        list_->isVisible() && list_->rect().contains(list_->mapFrom(this, event->pos()));
    ViewMenu::show(menu, inList ? static_cast<QWidget*>(list_) : this, event->globalPos());
}

} // namespace marquetry::widgets
