// GanttWidget: the Gantt picture on the screen.
//
// Ctrl+wheel (or + and −) zooms in time at the pointer, dragging moves, F shows everything; Left
// and Right go from call to call, Up and Down from unit to unit. A click selects a call or a unit.
// Thread rule: window's thread.
#pragma once

#include "widgets/canvas/gestures.h"
#include "widgets/canvas/time_axis.h"
#include "widgets/models/selection_model.h"
#include "widgets/sharing/gantt.h"

#include <QWidget>

namespace marquetry::widgets {

class GanttWidget : public QWidget {
    Q_OBJECT
public:
    explicit GanttWidget(SelectionModel* selection, QWidget* parent = nullptr);

    void setGantt(Gantt gantt);
    /// Cycles the whole picture is at least wide, to stand beside another one; 0: its own.
    void setScale(double cycles);
    /// Pixels that labels have at least, to stand beside another one; 0: what its own take.
    void setLabelWidth(double pixels);
    const Gantt& gantt() const { return gantt_; }
    GanttView view() const;
    void fit();
    void zoomBy(double factor, double x);
    QSize sizeHint() const override;

Q_SIGNALS:
    void menuRequested(QPoint globalPosition);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    double whole() const;
    void panBy(double pixels);
    void walkCalls(int step);
    void walkUnits(int step);
    QString tipAt(QPointF pixel) const;

    SelectionModel* selection_;
    Gantt gantt_;
    double scale_ = 0;
    double labelWidth_ = 0;
    TimeSpan shown_;
    Drag drag_;
};

} // namespace marquetry::widgets
