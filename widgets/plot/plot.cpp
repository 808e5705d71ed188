#include "widgets/plot/plot.h"

#include "widgets/plot/plot_canvas.h"

#include <QApplication>
#include <QBuffer>
#include <QEvent>
#include <QMouseEvent>
#include <QPageSize>
#include <QPdfWriter>
#include <QSvgGenerator>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

namespace marquetry::widgets {

namespace {

constexpr double kMargin = 0.06;    ///< of the range, on each side
constexpr double kNearLimit = 1.25; ///< a limit within this factor of the data is shown by fit()

QCPRange widened(PlotExtent extent, bool log) {
    if (extent.empty())
        return log ? QCPRange(1, 10) : QCPRange(0, 1);
    if (log) {
        const double factor = std::max(std::pow(extent.high / extent.low, kMargin), 1.1);
        return {extent.low / factor, extent.high * factor};
    }
    const double span = extent.high - extent.low;
    const double margin = span > 0 ? span * kMargin : std::max(std::fabs(extent.high) * 0.1, 0.5);
    return {extent.low - margin, extent.high + margin};
}

QColor blended(const QColor& over, const QColor& under, double share) {
    const auto mix = [share](int a, int b) {
        return static_cast<int>(std::lround(a * share + b * (1 - share)));
    };
    return {mix(over.red(), under.red()), mix(over.green(), under.green()),
            mix(over.blue(), under.blue())};
}

} // namespace

PlotColours plotColours(const QPalette& palette, const QColor& limit) {
    PlotColours colours;
    colours.background = palette.color(QPalette::Base);
    colours.ink = palette.color(QPalette::Text);
    colours.muted = blended(colours.ink, colours.background, 0.55);
    colours.grid = blended(colours.ink, colours.background, 0.18);
    colours.limit = limit;
    return colours;
}

Plot::Plot(QWidget* parent) : QWidget(parent), canvas_(std::make_unique<Canvas>(this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(canvas_->plot);
    layout->addWidget(canvas_->placeholder);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    canvas_->plot->setMouseTracking(true);
    canvas_->plot->installEventFilter(this);
    canvas_->plot->setFocusPolicy(Qt::NoFocus);
    setMinimumSize(160, 90);
}

Plot::~Plot() = default;

void Plot::setColours(const PlotColours& colours) {
    canvas_->colours = colours;
    canvas_->plot->setBackground(colours.background);
    for (QCPAxis* axis : {canvas_->plot->xAxis, canvas_->plot->yAxis, canvas_->plot->yAxis2})
        canvas_->styleAxis(axis);
    canvas_->styleLegend();
    canvas_->drawItems();
}

void Plot::setAxes(const PlotAxes& axes) {
    canvas_->axes = axes;
    QCustomPlot* plot = canvas_->plot;
    plot->xAxis->setLabel(axes.x);
    plot->yAxis->setLabel(axes.left);
    plot->yAxis2->setLabel(axes.right);
    canvas_->setScale(plot->xAxis, axes.logX);
    canvas_->setScale(plot->yAxis, axes.logLeft);
    canvas_->setScale(plot->yAxis2, false);
    canvas_->styleLegend();
    canvas_->drawItems();
}

void Plot::setSeries(const QVector<PlotSeries>& series) {
    canvas_->series = series;
    canvas_->plot->clearGraphs();
    bool right = false;
    for (const PlotSeries& s : series) {
        canvas_->addSeries(s);
        right = right || s.side == PlotSide::Right;
    }
    canvas_->plot->yAxis2->setVisible(right);
    canvas_->plot->setVisible(!series.isEmpty());
    canvas_->placeholder->setVisible(series.isEmpty());
}

void Plot::setLimits(const QVector<PlotLimit>& limits) {
    canvas_->limits = limits;
    canvas_->drawItems();
}

void Plot::setLabels(const QVector<PlotLabel>& labels) {
    canvas_->labels = labels;
    canvas_->drawItems();
}

void Plot::setBrush(const std::optional<QRectF>& range) {
    canvas_->brush = range;
    canvas_->drawItems();
}

std::vector<QRectF> Plot::labelPlaces() const {
    std::vector<QRectF> places;
    for (const QCPItemText* const item : canvas_->labelItems)
        if (item->visible())
            places.emplace_back(item->topLeft->pixelPosition(), item->bottomRight->pixelPosition());
    return places;
}

bool Plot::zoomed() const {
    return canvas_->zoomed;
}

void Plot::setPlaceholder(const QString& text) {
    canvas_->placeholder->setText(text);
}

void Plot::fit() {
    canvas_->zoomed = false;
    PlotExtent x = canvas_->extentX();
    PlotExtent y = canvas_->extentY(PlotSide::Left);
    for (const PlotLimit& limit : canvas_->limits) {
        PlotExtent& extent = limit.border == Qt::Vertical ? x : y;
        const bool log = limit.border == Qt::Vertical ? canvas_->axes.logX : canvas_->axes.logLeft;
        if (!extent.empty() && limit.value <= extent.high * kNearLimit)
            extent.add(limit.value * 1.03, log);
    }
    canvas_->plot->xAxis->setRange(widened(x, canvas_->axes.logX));
    canvas_->plot->yAxis->setRange(widened(y, canvas_->axes.logLeft));
    canvas_->plot->yAxis2->setRange(widened(canvas_->extentY(PlotSide::Right), false));
}

void Plot::replot() {
    canvas_->plot->replot(QCustomPlot::rpQueuedReplot);
}

int Plot::leftOut() const {
    int count = 0;
    for (const PlotSeries& s : canvas_->series)
        for (qsizetype k = 0; k < s.x.size(); ++k)
            count += (canvas_->axes.logX && s.x[k] <= 0) || (canvas_->axes.logLeft && s.y[k] <= 0);
    return count;
}

QPointF Plot::toPixel(QPointF point) const {
    return {canvas_->plot->xAxis->coordToPixel(point.x()),
            canvas_->plot->yAxis->coordToPixel(point.y())};
}

QRect Plot::legendPlace() const {
    const QCPLegend* const legend = canvas_->plot->legend;
    return legend->visible() ? legend->outerRect() : QRect();
}

QRect Plot::axesPlace() const {
    return canvas_->plot->axisRect()->rect();
}

QImage Plot::image(double scale) const {
    const QSize at = canvas_->plot->size();
    return canvas_->plot->toPixmap(at.width(), at.height(), scale).toImage();
}

QByteArray Plot::toPdf() const {
    constexpr int kPointsPerInch = 72;
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter pdf(&buffer);
    pdf.setCreator(QStringLiteral("Marquetry"));
    pdf.setResolution(kPointsPerInch); // a pixel is a point
    pdf.setPageSize(QPageSize(QSizeF(canvas_->plot->size()), QPageSize::Point));
    pdf.setPageMargins(QMarginsF());
    canvas_->paintTo(&pdf, canvas_->plot->size());
    return bytes;
}

QByteArray Plot::toSvg() const {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator svg;
    svg.setOutputDevice(&buffer);
    svg.setDescription(QStringLiteral("Marquetry"));
    svg.setSize(canvas_->plot->size());
    svg.setViewBox(QRect(QPoint(), canvas_->plot->size()));
    canvas_->paintTo(&svg, canvas_->plot->size());
    return bytes;
}

void Plot::onPress(const QMouseEvent& mouse) {
    canvas_->pressed = mouse.pos();
    canvas_->brushing =
        mouse.button() == Qt::LeftButton && mouse.modifiers().testFlag(Qt::ShiftModifier);
    canvas_->plot->setInteraction(QCP::iRangeDrag, !canvas_->brushing);
}

void Plot::onMove(const QMouseEvent& mouse) {
    if (canvas_->brushing) {
        setBrush(canvas_->between(canvas_->pressed, mouse.pos()));
        replot();
    } else if (mouse.buttons() == Qt::NoButton) {
        Q_EMIT hovered(mouse.position());
    } else {
        canvas_->zoomed = true;
    }
}

void Plot::onRelease(const QMouseEvent& mouse) {
    const QPoint moved = mouse.pos() - canvas_->pressed;
    const bool still = moved.manhattanLength() < QApplication::startDragDistance();
    const bool brushed_ = std::exchange(canvas_->brushing, false);
    canvas_->plot->setInteraction(QCP::iRangeDrag, true);
    if (brushed_ && !still)
        Q_EMIT brushed(canvas_->between(canvas_->pressed, mouse.pos()));
    else if (brushed_)
        Q_EMIT brushCleared();
    else if (still)
        Q_EMIT clicked(mouse.position());
}

bool Plot::eventFilter(QObject* watched, QEvent* event) {
    const auto& mouse = static_cast<const QMouseEvent&>(*event); // of mouse events alone
    if (event->type() == QEvent::MouseMove) {
        onMove(mouse);
    } else if (event->type() == QEvent::Wheel) {
        canvas_->zoomed = true;
    } else if (event->type() == QEvent::MouseButtonPress) {
        onPress(mouse);
    } else if (event->type() == QEvent::MouseButtonRelease) {
        onRelease(mouse);
    } else if (event->type() == QEvent::MouseButtonDblClick) {
        fit();
        replot();
    } else if (event->type() == QEvent::Leave) {
        Q_EMIT pointerLeft();
    }
    return QWidget::eventFilter(watched, event);
}

void Plot::changeEvent(QEvent* event) {
    if (event->type() == QEvent::FontChange) {
        setColours(canvas_->colours);
        replot();
    }
    QWidget::changeEvent(event);
}

} // namespace marquetry::widgets
