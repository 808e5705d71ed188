// What mouse and keys mean in every picture that is zoomed and dragged: + and − and the wheel zoom,
// and a button that is held moves the picture once it is sure to be no click.
// Thread rule: window's thread.
#pragma once

#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>

#include <optional>

namespace marquetry::widgets {

/// The factor that a turn of the wheel zooms by.
double zoomOf(const QWheelEvent& event);
/// `step` for +, its reverse for −; nothing for other keys.
std::optional<double> zoomOf(const QKeyEvent& event, double step);

class Drag {
public:
    void press(const QMouseEvent& event);
    /// The way since the last call; nothing while it may still be a click.
    std::optional<QPointF> move(const QMouseEvent& event);
    bool moving() const { return moving_; }
    /// Ends it; whether the picture was moved.
    bool release();

private:
    QPointF pressedAt_;
    QPointF last_;
    bool moving_ = false;
};

} // namespace marquetry::widgets
