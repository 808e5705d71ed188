// QueueLanesWidget: the steps over time on the screen.
//
// Ctrl+wheel (or + and −) zooms in time at the pointer, dragging moves, F shows everything; Left
// and Right go from step to step of the list, Up and Down to the queue above or below. Which step
// is at hand is the view's: a click or a key asks for one. Thread rule: window's thread.
#pragma once

#include "widgets/canvas/gestures.h"
#include "widgets/schedule/queue_lanes.h"

#include <QWidget>

namespace marquetry::widgets {

class QueueLanesWidget : public QWidget {
    Q_OBJECT
public:
    explicit QueueLanesWidget(QWidget* parent = nullptr);

    void setLanes(std::shared_ptr<const design::Timetable> timetable);
    /// Brings the step at hand into sight.
    void setMarks(LaneMarks marks);
    const QueueLanes& lanes() const { return lanes_; }
    const LaneMarks& marks() const { return marks_; }
    LanesView view() const;
    void fit();
    void zoomBy(double factor, double x);
    QSize sizeHint() const override;

Q_SIGNALS:
    void stepPicked(int step);
    void stepActivated(int step);
    void menuRequested(QPoint globalPosition);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    double whole() const;
    void pick(std::optional<std::size_t> step);
    void walk(int by);

    std::shared_ptr<const design::Timetable> timetable_;
    QueueLanes lanes_;
    LaneMarks marks_;
    TimeSpan shown_;
    Drag drag_;
};

} // namespace marquetry::widgets
