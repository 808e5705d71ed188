#include "widgets/sharing/gantt_widget.h"

#include "widgets/text/number_text.h"

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

constexpr double kKeyZoom = 1.4;

} // namespace

GanttWidget::GanttWidget(SelectionModel* selection, QWidget* parent)
    : QWidget(parent), selection_(selection) {
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Units over time"));
    setAttribute(Qt::WA_OpaquePaintEvent);
    connect(selection_, &SelectionModel::changed, this, QOverload<>::of(&QWidget::update));
}

void GanttWidget::setGantt(Gantt gantt) {
    const bool all = shown_.from <= 0 && shown_.to >= whole();
    const bool otherLength = gantt.cycles != gantt_.cycles;
    gantt_ = std::move(gantt);
    setMinimumHeight(static_cast<int>(std::ceil(ganttHeight(gantt_))));
    if (all || otherLength)
        fit();
    updateGeometry();
    update();
}

void GanttWidget::setScale(double cycles) {
    if (cycles == scale_)
        return;
    scale_ = cycles;
    fit();
}

void GanttWidget::setLabelWidth(double pixels) {
    labelWidth_ = pixels;
    update();
}

double GanttWidget::whole() const {
    return std::max({1.0, gantt_.cycles, scale_});
}

GanttView GanttWidget::view() const {
    return {size(), shown_.from, shown_.to, std::max(labelWidth_, ganttLabelWidth(gantt_))};
}

QSize GanttWidget::sizeHint() const {
    return {640, static_cast<int>(std::ceil(ganttHeight(gantt_)))};
}

void GanttWidget::fit() {
    shown_.fit(whole());
    update();
}

void GanttWidget::zoomBy(double factor, double x) {
    shown_.zoom(factor, view().cycle(x), whole());
    update();
}

void GanttWidget::panBy(double pixels) {
    const GanttView now = view();
    shown_.moveBy(now.cycle(0) - now.cycle(pixels), whole());
    update();
}

bool GanttWidget::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    QToolTip::showText(help->globalPos(), tipAt(help->pos()), this);
    return true;
}

QString GanttWidget::tipAt(QPointF pixel) const {
    const Subject subject = ganttAt(gantt_, view(), pixel);
    const SnapshotIndex& index = *selection_->index();
    if (!index.exists(subject))
        return {};
    if (const auto* id = std::get_if<design::CallId>(&subject)) {
        const design::DesignCall& call = index.design()->call(*id);
        return tr("call %1 of %2 on %3\n%4 cycles from %5")
            .arg(id->value())
            .arg(QString::fromStdString(call.layer),
                 QString::fromStdString(index.design()->unit(call.unit).name), grouped(call.cycles),
                 grouped(call.start));
    }
    const design::DesignUnit& unit = index.design()->unit(std::get<design::UnitId>(subject));
    return tr("%1\n%2 multipliers, %3 call sites")
        .arg(QString::fromStdString(unit.term), grouped(unit.multipliers))
        .arg(unit.callSites.size());
}

void GanttWidget::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    GanttMarks marks;
    if (!isEmpty(selection_->subject()))
        marks = {selection_->linked().units, selection_->linked().calls};
    paintGantt(painter, gantt_, view(), themeOf(palette()), marks);
    if (hasFocus()) {
        painter.setPen(palette().color(QPalette::Highlight));
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

void GanttWidget::wheelEvent(QWheelEvent* event) {
    if (!(event->modifiers() & Qt::ControlModifier)) {
        event->ignore();
        return;
    }
    zoomBy(zoomOf(*event), event->position().x());
    event->accept();
}

void GanttWidget::mousePressEvent(QMouseEvent* event) {
    drag_.press(*event);
}

void GanttWidget::mouseMoveEvent(QMouseEvent* event) {
    if (!(event->buttons() & Qt::LeftButton))
        return;
    if (const auto way = drag_.move(*event))
        panBy(way->x());
}

void GanttWidget::mouseReleaseEvent(QMouseEvent* event) {
    if (!drag_.release() && event->button() == Qt::LeftButton)
        selection_->select(ganttAt(gantt_, view(), event->position()));
}

void GanttWidget::walkCalls(int step) {
    const auto count = static_cast<int>(gantt_.lanes.size());
    if (count == 0)
        return;
    const auto& calls = selection_->linked().calls;
    const int at = calls.empty() ? (step > 0 ? -1 : count) : static_cast<int>(calls[0].index());
    selection_->select(design::CallId{std::clamp(at + step, 0, count - 1)});
}

void GanttWidget::walkUnits(int step) {
    const auto count = static_cast<int>(gantt_.rows.size());
    if (count == 0)
        return;
    const auto& units = selection_->linked().units;
    const int at = units.empty() ? (step > 0 ? -1 : count) : static_cast<int>(units[0].index());
    selection_->select(design::UnitId{std::clamp(at + step, 0, count - 1)});
}

void GanttWidget::keyPressEvent(QKeyEvent* event) {
    if (const auto zoom = zoomOf(*event, kKeyZoom))
        return zoomBy(*zoom, view().x((shown_.from + shown_.to) / 2));
    switch (event->key()) {
    case Qt::Key_F:
        fit();
        return;
    case Qt::Key_Left:
    case Qt::Key_Right:
        walkCalls(event->key() == Qt::Key_Right ? 1 : -1);
        return;
    case Qt::Key_Up:
    case Qt::Key_Down:
        walkUnits(event->key() == Qt::Key_Down ? 1 : -1);
        return;
    default:
        QWidget::keyPressEvent(event);
    }
}

void GanttWidget::contextMenuEvent(QContextMenuEvent* event) {
    if (event->reason() == QContextMenuEvent::Mouse)
        selection_->select(ganttAt(gantt_, view(), event->pos()));
    Q_EMIT menuRequested(event->globalPos());
}

} // namespace marquetry::widgets
