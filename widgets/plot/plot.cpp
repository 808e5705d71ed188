#include "widgets/plot/plot.h"

#include <qcustomplot.h>

#include <QApplication>
#include <QBuffer>
#include <QEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QPageSize>
#include <QPdfWriter>
#include <QSvgGenerator>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <limits>

namespace marquetry::widgets {

namespace {

constexpr double kMargin = 0.06;    ///< of the range, on each side
constexpr double kNearLimit = 1.25; ///< a limit within this factor of the data is shown by fit()

struct Extent {
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

QCPRange widened(Extent extent, bool log) {
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

class Plot::Canvas {
public:
    explicit Canvas(QWidget* parent)
        : plot(new QCustomPlot(parent)), placeholder(new QLabel(parent)) {
        placeholder->setAlignment(Qt::AlignCenter);
        placeholder->setWordWrap(true);
        placeholder->setForegroundRole(QPalette::PlaceholderText);
        plot->hide();
        plot->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
        plot->setNoAntialiasingOnDrag(true);
        // What the plot leaves to others, such as asking for a menu, would end at it else.
        plot->setAttribute(Qt::WA_NoMousePropagation, false);
        plot->addLayer(QStringLiteral("limits"), plot->layer(QStringLiteral("grid")),
                       QCustomPlot::limBelow);
        plot->legend->setVisible(true);
        plot->setSelectionTolerance(6);
        QObject::connect(plot, &QCustomPlot::afterLayout, plot, [this] { fitLegend(); });
    }

    QCPAxis* valueAxis(PlotSide side) const {
        return side == PlotSide::Left ? plot->yAxis : plot->yAxis2;
    }
    void styleAxis(QCPAxis* axis) const;
    void styleLegend() const;
    void fitLegend() const;
    void setScale(QCPAxis* axis, bool log) const;
    void addSeries(const PlotSeries& series) const;
    void addLimit(const PlotLimit& limit) const;
    void drawLimits() const;
    Extent extentX() const;
    Extent extentY(PlotSide side) const;
    void paintTo(QPaintDevice* device, QSize size) const;

    QCustomPlot* plot;
    QLabel* placeholder;
    PlotColours colours;
    PlotAxes axes;
    QVector<PlotSeries> series;
    QVector<PlotLimit> limits;
    QPoint pressed;
    bool zoomed = false;
};

void Plot::Canvas::styleAxis(QCPAxis* axis) const {
    const QPen line(colours.muted, 1);
    axis->setBasePen(line);
    axis->setTickPen(line);
    axis->setSubTickPen(line);
    axis->setTickLabelColor(colours.ink);
    axis->setLabelColor(colours.ink);
    axis->setTickLabelFont(plot->font());
    axis->setLabelFont(plot->font());
    axis->grid()->setPen(QPen(colours.grid, 1, Qt::DotLine));
    axis->grid()->setZeroLinePen(QPen(colours.grid, 1));
}

void Plot::Canvas::styleLegend() const {
    plot->legend->setBrush(colours.background);
    plot->legend->setBorderPen(QPen(colours.grid));
    plot->legend->setTextColor(colours.ink);
    plot->legend->setFont(plot->font());
    plot->legend->setIconSize(20, 14);
    plot->legend->setRowSpacing(0);
    plot->axisRect()->insetLayout()->setInsetAlignment(
        0, Qt::AlignRight | (axes.legendLow ? Qt::AlignBottom : Qt::AlignTop));
}

/// In as few columns as have room; it goes where it would hide more than half of a small plot.
void Plot::Canvas::fitLegend() const {
    QCPLegend* const legend = plot->legend;
    const QSize drawn = plot->axisRect()->size();
    const QSize room = plot->axisRect()->insetLayout()->rect().size();
    bool fits = false;
    for (int columns = 1; columns <= legend->itemCount() && !fits; ++columns) {
        legend->setWrap(columns);
        legend->setFillOrder(QCPLayoutGrid::foColumnsFirst);
        const QSize needed = legend->minimumOuterSizeHint();
        fits = needed.width() <= room.width() && needed.height() <= room.height() &&
               2 * needed.width() * needed.height() <= drawn.width() * drawn.height();
    }
    legend->setVisible(fits);
    plot->axisRect()->insetLayout()->update(QCPLayoutElement::upLayout);
}

void Plot::Canvas::setScale(QCPAxis* axis, bool log) const {
    axis->setScaleType(log ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    axis->setNumberFormat(QStringLiteral("gbc"));
    axis->setNumberPrecision(log ? 0 : 6);
    if (log)
        axis->setTicker(QSharedPointer<QCPAxisTickerLog>::create());
    else
        axis->setTicker(QSharedPointer<QCPAxisTicker>::create());
}

void Plot::Canvas::addSeries(const PlotSeries& s) const {
    QCPGraph* graph = plot->addGraph(plot->xAxis, valueAxis(s.side));
    // The library measures names a pixel too short: a space keeps the last letter whole.
    graph->setName(s.name + QChar(QChar::Nbsp));
    if (s.name.isEmpty())
        graph->removeFromLegend();
    graph->setLineStyle(QCPGraph::lsNone);
    QPen pen(s.colour, 1);
    switch (s.style) {
    case PlotStyle::Dots:
        graph->setScatterStyle({QCPScatterStyle::ssDisc, s.colour, s.size});
        break;
    case PlotStyle::Crosses:
        graph->setScatterStyle({QCPScatterStyle::ssCross, s.colour, s.size});
        break;
    case PlotStyle::Diamonds:
        graph->setScatterStyle({QCPScatterStyle::ssDiamond, s.colour, s.colour, s.size});
        break;
    case PlotStyle::Ring:
        graph->setScatterStyle(
            {QCPScatterStyle::ssCircle, QPen(s.colour, 2.2), Qt::NoBrush, s.size});
        break;
    case PlotStyle::Line:
    case PlotStyle::DashedLine:
        graph->setLineStyle(QCPGraph::lsLine);
        pen.setStyle(s.style == PlotStyle::Line ? Qt::SolidLine : Qt::DashLine);
        pen.setWidthF(s.size);
        break;
    case PlotStyle::StepLine:
        graph->setLineStyle(QCPGraph::lsStepLeft);
        pen.setWidthF(s.size);
        break;
    }
    graph->setPen(pen);
    graph->setData(s.x, s.y);
}

void Plot::Canvas::addLimit(const PlotLimit& limit) const {
    const bool vertical = limit.border == Qt::Vertical;
    auto* shade = new QCPItemRect(plot);
    shade->setLayer(QStringLiteral("limits"));
    QColor fill = colours.limit;
    fill.setAlphaF(0.22F);
    shade->setPen(QPen(colours.limit, 1, Qt::DashLine));
    shade->setBrush(QBrush(fill, Qt::BDiagPattern));
    QCPItemPosition* border = vertical ? shade->topLeft : shade->bottomRight;
    border->setTypeX(vertical ? QCPItemPosition::ptPlotCoords : QCPItemPosition::ptAxisRectRatio);
    border->setTypeY(vertical ? QCPItemPosition::ptAxisRectRatio : QCPItemPosition::ptPlotCoords);
    border->setCoords(vertical ? limit.value : 1.0, vertical ? 0.0 : limit.value);
    QCPItemPosition* corner = vertical ? shade->bottomRight : shade->topLeft;
    corner->setType(QCPItemPosition::ptAxisRectRatio);
    corner->setCoords(vertical ? 1.0 : 0.0, vertical ? 1.0 : 0.0);

    auto* label = new QCPItemText(plot);
    label->setText(limit.label);
    label->setColor(colours.ink);
    label->setFont(plot->font());
    label->setPositionAlignment(vertical ? (Qt::AlignRight | Qt::AlignBottom)
                                         : (Qt::AlignLeft | Qt::AlignTop));
    label->position->setTypeX(border->typeX());
    label->position->setTypeY(border->typeY());
    label->position->setCoords(vertical ? limit.value : 0.01, vertical ? 0.98 : limit.value);
    label->setPadding(QMargins(4, 1, 4, 1));
}

void Plot::Canvas::drawLimits() const {
    plot->clearItems();
    for (const PlotLimit& limit : limits) {
        const bool log = limit.border == Qt::Vertical ? axes.logX : axes.logLeft;
        if (!log || limit.value > 0)
            addLimit(limit);
    }
}

Extent Plot::Canvas::extentX() const {
    Extent extent;
    for (const PlotSeries& s : series)
        for (const double x : s.x)
            extent.add(x, axes.logX);
    return extent;
}

Extent Plot::Canvas::extentY(PlotSide side) const {
    Extent extent;
    const bool log = side == PlotSide::Left && axes.logLeft;
    for (const PlotSeries& s : series)
        if (s.side == side)
            for (const double y : s.y)
                extent.add(y, log);
    return extent;
}

void Plot::Canvas::paintTo(QPaintDevice* device, QSize size) const {
    QCPPainter painter;
    painter.begin(device);
    painter.setMode(QCPPainter::pmVectorized);
    painter.setMode(QCPPainter::pmNoCaching);
    painter.fillRect(QRect(QPoint(), size), colours.background);
    plot->toPainter(&painter, size.width(), size.height());
    painter.end();
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
    canvas_->drawLimits();
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
    canvas_->drawLimits();
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
    canvas_->drawLimits();
}

bool Plot::zoomed() const {
    return canvas_->zoomed;
}

void Plot::setPlaceholder(const QString& text) {
    canvas_->placeholder->setText(text);
}

void Plot::fit() {
    canvas_->zoomed = false;
    Extent x = canvas_->extentX();
    Extent y = canvas_->extentY(PlotSide::Left);
    for (const PlotLimit& limit : canvas_->limits) {
        Extent& extent = limit.border == Qt::Vertical ? x : y;
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

bool Plot::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::MouseMove) {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        if (mouse->buttons() == Qt::NoButton)
            Q_EMIT hovered(mouse->position());
        else
            canvas_->zoomed = true;
    } else if (event->type() == QEvent::Wheel) {
        canvas_->zoomed = true;
    } else if (event->type() == QEvent::MouseButtonPress) {
        canvas_->pressed = static_cast<QMouseEvent*>(event)->pos();
    } else if (event->type() == QEvent::MouseButtonRelease) {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        const QPoint moved = mouse->pos() - canvas_->pressed;
        if (moved.manhattanLength() < QApplication::startDragDistance())
            Q_EMIT clicked(mouse->position());
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
