// The canvas of a Plot: what the plotting library draws. Only the sources of this folder see it.
// Thread rule: window's thread.
#pragma once

#include "widgets/plot/plot.h"

#include <qcustomplot.h>

#include <QLabel>

#include <cmath>
#include <limits>

namespace marquetry::widgets {

struct PlotExtent {
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();

    void add(double value, bool log) {
        if (!std::isfinite(value) || (log && value <= 0))
            return;
        low = std::min(low, value);
        high = std::max(high, value);
    }
    bool empty() const { return low > high; }
};

class Plot::Canvas {
public:
    explicit Canvas(QWidget* parent);

    QCPAxis* valueAxis(PlotSide side) const {
        return side == PlotSide::Left ? plot->yAxis : plot->yAxis2;
    }
    void styleAxis(QCPAxis* axis) const;
    void styleLegend() const;
    void fitLegend() const;
    void setScale(QCPAxis* axis, bool log) const;
    void addSeries(const PlotSeries& series) const;
    /// Limits, the brushed range and labels.
    void drawItems();
    /// Once the layout is known.
    void moveLabels();
    PlotExtent extentX() const;
    PlotExtent extentY(PlotSide side) const;
    void paintTo(QPaintDevice* device, QSize size) const;
    /// What lies between two places of the plot.
    QRectF between(QPoint one, QPoint other) const;

    QCustomPlot* plot;
    QLabel* placeholder;
    PlotColours colours;
    PlotAxes axes;
    QVector<PlotSeries> series;
    QVector<PlotLimit> limits;
    QVector<PlotLabel> labels;
    std::vector<QCPItemText*> labelItems; ///< by label
    std::optional<QRectF> brush;
    QPoint pressed;
    bool brushing = false;
    bool zoomed = false;

private:
    void addLimit(const PlotLimit& limit) const;
    void addBrush() const;
    void addLabel(const PlotLabel& label);
    std::vector<QRectF> obstacles() const;
};

} // namespace marquetry::widgets
