#include "widgets/schedule/queue_lanes_widget.h"

#include "widgets/schedule/step_details.h"

#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace marquetry::widgets {

namespace {

constexpr double kLaneZoom = 1.4;

} // namespace

QueueLanesWidget::QueueLanesWidget(QWidget* parent) : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Queues over time"));
    setAttribute(Qt::WA_OpaquePaintEvent);
}

void QueueLanesWidget::setLanes(std::shared_ptr<const design::Timetable> timetable) {
    timetable_ = std::move(timetable);
    lanes_ = lanesOf(timetable_.get());
    marks_ = {};
    setMinimumHeight(static_cast<int>(std::ceil(lanesHeight(lanes_))));
    fit();
    updateGeometry();
}

void QueueLanesWidget::setMarks(LaneMarks marks) {
    marks_ = std::move(marks);
    if (marks_.at && *marks_.at < lanes_.places.size()) {
        const LanePlace place = lanes_.places[*marks_.at];
        const LaneBlock& block = lanes_.lanes[place.lane].blocks[place.block];
        shown_.reveal(block.begin, block.end, whole());
    }
    update();
}

double QueueLanesWidget::whole() const {
    return std::max(1.0, lanes_.cycles);
}

LanesView QueueLanesWidget::view() const {
    return {size(), shown_, lanesLabelWidth(lanes_)};
}

QSize QueueLanesWidget::sizeHint() const {
    return {640, static_cast<int>(std::ceil(lanesHeight(lanes_)))};
}

void QueueLanesWidget::fit() {
    shown_.fit(whole());
    update();
}

void QueueLanesWidget::zoomBy(double factor, double x) {
    shown_.zoom(factor, view().clock(x), whole());
    update();
}

void QueueLanesWidget::pick(std::optional<std::size_t> step) {
    if (step)
        Q_EMIT stepPicked(static_cast<int>(*step));
}

void QueueLanesWidget::walk(int by) {
    const auto count = static_cast<int>(lanes_.places.size());
    if (count == 0)
        return;
    const int at = marks_.at ? static_cast<int>(*marks_.at) : (by > 0 ? -1 : count);
    pick(static_cast<std::size_t>(std::clamp(at + by, 0, count - 1)));
}

bool QueueLanesWidget::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto step = stepAt(lanes_, view(), help->pos());
    QToolTip::showText(help->globalPos(), step ? stepTip(*timetable_, *step) : QString(), this);
    return true;
}

void QueueLanesWidget::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    paintLanes(painter, lanes_, view(), themeOf(palette()), marks_);
    if (hasFocus()) {
        painter.setPen(palette().color(QPalette::Highlight));
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

void QueueLanesWidget::wheelEvent(QWheelEvent* event) {
    if (!(event->modifiers() & Qt::ControlModifier)) {
        event->ignore();
        return;
    }
    zoomBy(zoomOf(*event), event->position().x());
    event->accept();
}

void QueueLanesWidget::mousePressEvent(QMouseEvent* event) {
    drag_.press(*event);
}

void QueueLanesWidget::mouseMoveEvent(QMouseEvent* event) {
    if (!(event->buttons() & Qt::LeftButton))
        return;
    if (const auto way = drag_.move(*event)) {
        const LanesView now = view();
        shown_.moveBy(now.clock(0) - now.clock(way->x()), whole());
        update();
    }
}

void QueueLanesWidget::mouseReleaseEvent(QMouseEvent* event) {
    if (!drag_.release() && event->button() == Qt::LeftButton)
        pick(stepAt(lanes_, view(), event->position()));
}

void QueueLanesWidget::mouseDoubleClickEvent(QMouseEvent* event) {
    if (const auto step = stepAt(lanes_, view(), event->position()))
        Q_EMIT stepActivated(static_cast<int>(*step));
}

void QueueLanesWidget::keyPressEvent(QKeyEvent* event) {
    if (const auto zoom = zoomOf(*event, kLaneZoom))
        return zoomBy(*zoom, view().x((shown_.from + shown_.to) / 2));
    switch (event->key()) {
    case Qt::Key_F:
        return fit();
    case Qt::Key_Left:
    case Qt::Key_Right:
        return walk(event->key() == Qt::Key_Right ? 1 : -1);
    case Qt::Key_Up:
    case Qt::Key_Down:
        if (marks_.at)
            pick(stepBeside(lanes_, *marks_.at, event->key() == Qt::Key_Down ? 1 : -1));
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (marks_.at)
            Q_EMIT stepActivated(static_cast<int>(*marks_.at));
        return;
    default:
        QWidget::keyPressEvent(event);
    }
}

void QueueLanesWidget::contextMenuEvent(QContextMenuEvent* event) {
    if (event->reason() == QContextMenuEvent::Mouse)
        pick(stepAt(lanes_, view(), event->pos()));
    Q_EMIT menuRequested(event->globalPos());
}

} // namespace marquetry::widgets
