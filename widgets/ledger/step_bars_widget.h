// StepBarsWidget: the steps over time on the screen.
//
// Ctrl+wheel (or + and −) zooms in time, dragging moves, F shows everything; Up and Down go from
// step to step. A click selects the layer of a step. Thread rule: window's thread.
#pragma once

#include "widgets/canvas/gestures.h"
#include "widgets/canvas/time_axis.h"
#include "widgets/ledger/step_bars.h"
#include "widgets/models/selection_model.h"

#include <QWidget>

namespace marquetry::widgets {

class StepBarsWidget : public QWidget {
    Q_OBJECT
public:
    explicit StepBarsWidget(SelectionModel* selection, QWidget* parent = nullptr);

    void setSteps(StepBars steps);
    const StepBars& steps() const { return steps_; }
    StepsView view() const;
    void fit();
    void zoomBy(double factor, double x);
    QSize sizeHint() const override;
    /// The layer that is selected, if it is one alone.
    std::string litLayer() const;

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    double whole() const;
    void moveBy(double pixels);
    void walk(int step);
    void selectBar(std::size_t bar);

    SelectionModel* selection_;
    StepBars steps_;
    TimeSpan shown_;
    std::optional<std::size_t> at_; ///< the step that was selected last
    Drag drag_;
};

} // namespace marquetry::widgets
