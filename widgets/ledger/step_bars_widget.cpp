#include "widgets/ledger/step_bars_widget.h"

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

constexpr double kZoomStep = 1.4;

} // namespace

StepBarsWidget::StepBarsWidget(SelectionModel* selection, QWidget* parent)
    : QWidget(parent), selection_(selection) {
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Steps over time"));
    setAttribute(Qt::WA_OpaquePaintEvent);
    connect(selection_, &SelectionModel::changed, this, QOverload<>::of(&QWidget::update));
}

void StepBarsWidget::setSteps(StepBars steps) {
    steps_ = std::move(steps);
    at_.reset();
    setMinimumHeight(static_cast<int>(std::ceil(stepsHeight(steps_))));
    fit();
    updateGeometry();
}

double StepBarsWidget::whole() const {
    return std::max(1.0, steps_.cycles);
}

StepsView StepBarsWidget::view() const {
    return {size(), shown_.from, shown_.to, stepsLabelWidth(steps_)};
}

QSize StepBarsWidget::sizeHint() const {
    return {640, static_cast<int>(std::ceil(stepsHeight(steps_)))};
}

std::string StepBarsWidget::litLayer() const {
    const auto& layers = selection_->linked().layers;
    return !isEmpty(selection_->subject()) && layers.size() == 1 ? layers.front() : std::string();
}

void StepBarsWidget::fit() {
    shown_.fit(whole());
    update();
}

void StepBarsWidget::zoomBy(double factor, double x) {
    shown_.zoom(factor, view().clock(x), whole());
    update();
}

void StepBarsWidget::moveBy(double pixels) {
    const StepsView now = view();
    shown_.moveBy(now.clock(0) - now.clock(pixels), whole());
    update();
}

void StepBarsWidget::selectBar(std::size_t bar) {
    at_ = bar;
    if (!steps_.bars[bar].layer.empty())
        selection_->select(LayerName{steps_.bars[bar].layer});
}

/// From one layer's step to the next one's; transfers have nothing to select.
void StepBarsWidget::walk(int step) {
    const auto count = static_cast<int>(steps_.bars.size());
    int bar = at_ ? static_cast<int>(*at_) : (step > 0 ? -1 : count);
    for (bar += step; bar >= 0 && bar < count; bar += step)
        if (!steps_.bars[static_cast<std::size_t>(bar)].layer.empty())
            return selectBar(static_cast<std::size_t>(bar));
}

bool StepBarsWidget::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto bar = barAt(steps_, view(), help->pos());
    QToolTip::showText(help->globalPos(), bar ? barText(steps_.bars[*bar]) : QString(), this);
    return true;
}

void StepBarsWidget::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    paintSteps(painter, steps_, view(), themeOf(palette()), litLayer());
    if (hasFocus()) {
        painter.setPen(palette().color(QPalette::Highlight));
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

void StepBarsWidget::wheelEvent(QWheelEvent* event) {
    if (!(event->modifiers() & Qt::ControlModifier)) {
        event->ignore();
        return;
    }
    zoomBy(zoomOf(*event), event->position().x());
    event->accept();
}

void StepBarsWidget::mousePressEvent(QMouseEvent* event) {
    drag_.press(*event);
}

void StepBarsWidget::mouseMoveEvent(QMouseEvent* event) {
    if (!(event->buttons() & Qt::LeftButton))
        return;
    if (const auto way = drag_.move(*event))
        moveBy(way->x());
}

void StepBarsWidget::mouseReleaseEvent(QMouseEvent* event) {
    if (drag_.release() || event->button() != Qt::LeftButton)
        return;
    if (const auto bar = barAt(steps_, view(), event->position()))
        selectBar(*bar);
}

void StepBarsWidget::keyPressEvent(QKeyEvent* event) {
    if (const auto zoom = zoomOf(*event, kZoomStep))
        return zoomBy(*zoom, view().x((shown_.from + shown_.to) / 2));
    switch (event->key()) {
    case Qt::Key_F:
        fit();
        return;
    case Qt::Key_Up:
    case Qt::Key_Down:
        walk(event->key() == Qt::Key_Down ? 1 : -1);
        return;
    default:
        QWidget::keyPressEvent(event);
    }
}

} // namespace marquetry::widgets
