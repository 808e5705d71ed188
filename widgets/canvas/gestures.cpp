#include "widgets/canvas/gestures.h"

#include <cmath>
#include <utility>

namespace marquetry::widgets {

double zoomOf(const QWheelEvent& event) {
    return std::pow(1.0015, event.angleDelta().y());
}

std::optional<double> zoomOf(const QKeyEvent& event, double step) {
    switch (event.key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        return step;
    case Qt::Key_Minus:
        return 1 / step;
    default:
        return std::nullopt;
    }
}

void Drag::press(const QMouseEvent& event) {
    pressedAt_ = last_ = event.position();
    moving_ = false;
}

std::optional<QPointF> Drag::move(const QMouseEvent& event) {
    constexpr double kClick = 4; ///< pixels that a hand moves without meaning to
    moving_ = moving_ || (event.position() - pressedAt_).manhattanLength() > kClick;
    const QPointF way = event.position() - std::exchange(last_, event.position());
    return moving_ ? std::optional(way) : std::nullopt;
}

bool Drag::release() {
    return std::exchange(moving_, false);
}

} // namespace marquetry::widgets
