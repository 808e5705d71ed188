// StreamsView: what the user asks for.
#include "widgets/streams/streams_view.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QTreeView>

#include <algorithm>

namespace marquetry::widgets {

namespace {

constexpr double kReach = 24; ///< pixels around the pointer within which a point is found

} // namespace

void StreamsView::askRate(std::size_t rate) {
    if (rate >= shown_.rates.size() || rate == shown_.rate)
        return;
    const spacetime::Throughput& wanted = shown_.rates[rate].throughput;
    Q_EMIT throughputRequested(itemName(), wanted.atoms, wanted.clocks);
}

/// "3" or "3/2".
void StreamsView::askTyped() {
    const QStringList parts = other_->text().trimmed().split(u'/');
    bool good = parts.size() <= 2;
    bool goodClocks = true;
    const qint64 atoms = parts.front().trimmed().toLongLong(&good);
    const qint64 clocks = parts.size() == 2 ? parts[1].trimmed().toLongLong(&goodClocks) : 1;
    if (!good || !goodClocks || parts.size() > 2) {
        Q_EMIT message(tr("\"%1\" is no throughput: write N or N/M elements per clock, such as 1/3")
                           .arg(other_->text()));
        return;
    }
    Q_EMIT throughputRequested(itemName(), atoms, clocks);
}

void StreamsView::fillPinMenu() {
    constexpr std::size_t kShown = 40;
    pinMenu_->clear();
    QAction* any = pinMenu_->addAction(tr("Any output type"));
    any->setCheckable(true);
    any->setChecked(shown_.scheduledType.empty());
    connect(any, &QAction::triggered, this, [this] { pinType({}); });
    pinMenu_->addSeparator();
    if (!shown_.schedule)
        return;
    const auto& types = shown_.schedule->outputTypes;
    for (std::size_t k = 0; k < std::min(kShown, types.size()); ++k) {
        const QString text = QString::fromStdString(toString(types[k]));
        QAction* action = pinMenu_->addAction(text);
        action->setCheckable(true);
        action->setChecked(shown_.scheduledType == toString(types[k]));
        connect(action, &QAction::triggered, this, [this, text] { pinType(text); });
    }
    if (types.size() > kShown)
        pinMenu_->addAction(tr("showing %1 of %2 types").arg(kShown).arg(types.size()))
            ->setEnabled(false);
}

void StreamsView::pinType(const QString& type) {
    if (!shown_.rates.empty())
        Q_EMIT pinRequested(itemName(), shown_.rates[shown_.rate].clocks, type);
}

void StreamsView::chooseRow(const QModelIndex& row) {
    if (!row.isValid() || !shown_.schedule)
        return;
    const auto& design = shown_.schedule->front[static_cast<std::size_t>(row.row())];
    Q_EMIT chooseRequested(itemName(), shown_.schedule->clocks, {design.area, design.delay});
}

void StreamsView::onPlotClicked(QPointF pixel) {
    std::optional<std::size_t> nearest;
    double best = kReach * kReach;
    for (std::size_t k = 0; k < shown_.rates.size(); ++k) {
        const session::StreamRate& rate = shown_.rates[k];
        if (!rate.area)
            continue;
        const QPointF away = plot_->toPixel({elementsPerClock(rate), resource(*rate.area)}) - pixel;
        if (const double far = QPointF::dotProduct(away, away); far < best) {
            best = far;
            nearest = k;
        }
    }
    if (nearest)
        askRate(*nearest);
}

bool StreamsView::eventFilter(QObject* watched, QEvent* event) {
    if (watched != front_ || event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    const int key = static_cast<QKeyEvent*>(event)->key();
    const QModelIndex row = front_->currentIndex();
    if (key == Qt::Key_Return || key == Qt::Key_Enter) {
        chooseRow(row);
        return true;
    }
    if (key == Qt::Key_Space && row.isValid()) {
        const QString type = row.siblingAtColumn(frontModel_->columnCount() - 1).data().toString();
        pinType(type.toStdString() == shown_.scheduledType ? QString() : type);
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

void StreamsView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange && plot_) {
        plot_->setColours(plotColours(palette(), categoryColour(7)));
        plot_->replot();
    }
    QWidget::changeEvent(event);
}

} // namespace marquetry::widgets
