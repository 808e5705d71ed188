// What a person chooses, pins and tries in the Memories view.
#include "widgets/memories/memories_view.h"

#include <QKeyEvent>
#include <QMenu>
#include <QSortFilterProxyModel>
#include <QTableView>

namespace marquetry::widgets {

void MemoriesView::ask(const session::SchemeName& scheme) {
    if (shown_.program && (!scheme.maps.empty() || shown_.attempt))
        Q_EMIT tryRequested(itemName(), scheme);
}

void MemoriesView::chooseRow(const QModelIndex& row) {
    if (!row.isValid() || !shown_.plan)
        return;
    const auto at = static_cast<std::size_t>(frontOrder_->mapToSource(row).row());
    const banking::Scheme& scheme = shown_.plan->front[at].scheme;
    ask({});
    Q_EMIT chooseRequested(itemName(), {scheme.maps, scheme.copies});
}

void MemoriesView::pinRow(const QModelIndex& row) {
    if (!row.isValid() || !shown_.plan)
        return;
    const auto at = static_cast<std::size_t>(frontOrder_->mapToSource(row).row());
    const banking::Scheme& scheme = shown_.plan->front[at].scheme;
    banking::SchemePins pins;
    pins.maps = scheme.maps;
    pins.copies = scheme.copies;
    requestPins(pins == shown_.choice.pins ? banking::SchemePins() : pins);
}

void MemoriesView::requestPins(const banking::SchemePins& pins) {
    Q_EMIT pinRequested(itemName(), pins);
}

/// One switch per part of the scheme shown; what is pinned already is ticked and can be let go.
void MemoriesView::fillPinMenu() {
    pinMenu_->clear();
    const banking::Scheme* scheme = shownScheme();
    const banking::SchemePins& pins = shown_.choice.pins;
    const auto part = [&](const QString& text, bool on, auto change) {
        QAction* action = pinMenu_->addAction(text);
        action->setCheckable(true);
        action->setChecked(on);
        connect(action, &QAction::triggered, this, [this, change, on] {
            banking::SchemePins changed = shown_.choice.pins;
            changed.maps.clear();
            change(changed, !on);
            requestPins(changed);
        });
    };
    if (scheme) {
        const banking::Kind kind = pins.kind.value_or(scheme->kind());
        part(tr("Kind: %1").arg(kindText(kind)), pins.kind.has_value(),
             [kind](auto& p, bool on) { p.kind = on ? std::optional(kind) : std::nullopt; });
        const std::int64_t banks = pins.banks > 0 ? pins.banks : scheme->banks();
        part(tr("N = %1 banks").arg(banks), pins.banks > 0,
             [banks](auto& p, bool on) { p.banks = on ? banks : 0; });
        const std::int64_t block = pins.block > 0 ? pins.block : scheme->maps[0].block;
        part(tr("B = %1").arg(block), pins.block > 0,
             [block](auto& p, bool on) { p.block = on ? block : 0; });
        if (scheme->kind() == banking::Kind::Flat) {
            const banking::Address alpha = scheme->maps[0].alpha;
            part(tr("α = %1").arg(listText(alpha)), !pins.alpha.empty(),
                 [alpha](auto& p, bool on) { p.alpha = on ? alpha : banking::Address(); });
        }
        const std::int64_t copies = pins.copies > 0 ? pins.copies : scheme->copies;
        part(tr("%n copies", nullptr, static_cast<int>(copies)), pins.copies > 0,
             [copies](auto& p, bool on) { p.copies = on ? copies : 0; });
        pinMenu_->addSeparator();
        if (shownDetail())
            connect(pinMenu_->addAction(tr("This scheme as it is")), &QAction::triggered, this,
                    [this, maps = scheme->maps, all = scheme->copies] {
                        banking::SchemePins whole;
                        whole.maps = maps;
                        whole.copies = all;
                        requestPins(whole);
                    });
    }
    QAction* clear = pinMenu_->addAction(tr("Clear the pins"));
    clear->setEnabled(!pins.free());
    connect(clear, &QAction::triggered, this, [this] { requestPins({}); });
}

bool MemoriesView::eventFilter(QObject* watched, QEvent* event) {
    if (watched != front_ || event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    switch (static_cast<QKeyEvent*>(event)->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
        chooseRow(front_->currentIndex());
        return true;
    case Qt::Key_Space:
        pinRow(front_->currentIndex());
        return true;
    case Qt::Key_Escape:
        ask({});
        return true;
    default:
        return QWidget::eventFilter(watched, event);
    }
}

} // namespace marquetry::widgets
