// Plot: a chart widget with two axes, point and line series and shaded limits.
//
// The one place that knows the plotting library (GPL-3): everything else sees this header. Data
// coordinates are doubles in the caller's units; a logarithmic axis leaves out values ≤ 0 and says
// how many (see leftOut()). Series are drawn in the order given. Series whose axis is Right are
// measured on the right axis, which is shown when one exists.
//
// Trap: the library also marks the corners of step lines, so a step line never carries markers;
// give a second series for them.
// Complexity: O(points) per replot. Thread rule: window's thread.
#pragma once

#include <QColor>
#include <QRectF>
#include <QString>
#include <QVector>
#include <QWidget>

#include <memory>
#include <optional>
#include <vector>

class QMouseEvent;

namespace marquetry::widgets {

enum class PlotStyle { Dots, Crosses, Line, DashedLine, StepLine, Diamonds, Ring };
enum class PlotSide { Left, Right };

struct PlotSeries {
    QString name; ///< empty: not in the legend
    PlotStyle style = PlotStyle::Dots;
    PlotSide side = PlotSide::Left;
    QColor colour;
    double size = 5; ///< marker diameter or line width, pixels
    QVector<double> x;
    QVector<double> y;
};

/// The half plane beyond `value` is shaded and hatched, with a label at the border.
struct PlotLimit {
    Qt::Orientation border = Qt::Vertical; ///< Vertical: x > value
    double value = 0;
    QString label;
};

/// Stands beside its point where it hides no other label, mark or legend; else it is left out.
struct PlotLabel {
    double x = 0;
    double y = 0; ///< on the left axis
    QString text;
    QColor colour; ///< invalid: the ink
};

struct PlotAxes {
    QString x;
    QString left;
    QString right; ///< shown when a series uses it
    bool logX = false;
    bool logLeft = false;
    bool legendLow = false; ///< legend at the bottom right instead of the top right
};

struct PlotColours {
    QColor background;
    QColor ink;
    QColor muted; ///< axes and ticks
    QColor grid;
    QColor limit; ///< of the shading
};

/// Colours that follow the palette; the shading is `limit`.
PlotColours plotColours(const QPalette& palette, const QColor& limit);

class Plot : public QWidget {
    Q_OBJECT
public:
    explicit Plot(QWidget* parent = nullptr);
    ~Plot() override;

    void setColours(const PlotColours& colours);
    void setAxes(const PlotAxes& axes);
    void setSeries(const QVector<PlotSeries>& series);
    void setLimits(const QVector<PlotLimit>& limits);
    /// The first ones choose their places first.
    void setLabels(const QVector<PlotLabel>& labels);
    /// A range of both axes that is marked; x and y of the rectangle rise.
    void setBrush(const std::optional<QRectF>& range);
    /// Shown in place of empty axes while there is no series.
    void setPlaceholder(const QString& text);
    /// Ranges that show every point, with a margin; limits only when they are near.
    void fit();
    /// Whether the user dragged or zoomed since the last fit().
    bool zoomed() const;
    void replot();

    /// Points a logarithmic axis cannot show.
    int leftOut() const;
    QPointF toPixel(QPointF point) const;
    /// Where the last drawing has them; empty: no legend.
    QRect legendPlace() const;
    QRect axesPlace() const;
    std::vector<QRectF> labelPlaces() const;

    QImage image(double scale) const;
    QByteArray toPdf() const; ///< the bytes of a file, one page
    QByteArray toSvg() const;

Q_SIGNALS:
    void hovered(QPointF pixel);
    void clicked(QPointF pixel);
    /// A range was marked by a drag with Shift; a click with Shift marks none.
    void brushed(QRectF range);
    void brushCleared();
    void pointerLeft();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    class Canvas;
    void onPress(const QMouseEvent& mouse);
    void onMove(const QMouseEvent& mouse);
    void onRelease(const QMouseEvent& mouse);
    std::unique_ptr<Canvas> canvas_;
};

} // namespace marquetry::widgets
