#include "widgets/plot/plot_canvas.h"

#include "widgets/plot/label_places.h"

#include <algorithm>

namespace marquetry::widgets {

Plot::Canvas::Canvas(QWidget* parent)
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
    QObject::connect(plot, &QCustomPlot::afterLayout, plot, [this] {
        fitLegend();
        moveLabels();
    });
}

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

void Plot::Canvas::drawItems() {
    plot->clearItems();
    labelItems.clear();
    for (const PlotLimit& limit : limits) {
        const bool log = limit.border == Qt::Vertical ? axes.logX : axes.logLeft;
        if (!log || limit.value > 0)
            addLimit(limit);
    }
    if (brush)
        addBrush();
    for (const PlotLabel& label : labels)
        addLabel(label);
}

void Plot::Canvas::addBrush() const {
    auto* range = new QCPItemRect(plot);
    range->setLayer(QStringLiteral("limits"));
    QColor fill = colours.ink;
    fill.setAlphaF(0.08F);
    range->setPen(QPen(colours.ink, 1, Qt::DotLine));
    range->setBrush(fill);
    range->topLeft->setCoords(brush->left(), brush->bottom());
    range->bottomRight->setCoords(brush->right(), brush->top());
}

void Plot::Canvas::addLabel(const PlotLabel& label) {
    auto* item = new QCPItemText(plot);
    item->setLayer(QStringLiteral("overlay"));
    item->setText(label.text);
    item->setColor(label.colour.isValid() ? label.colour : colours.ink);
    item->setFont(plot->font());
    item->setPositionAlignment(Qt::AlignLeft | Qt::AlignTop);
    item->position->setType(QCPItemPosition::ptAbsolute);
    QColor under = colours.background; // dots that it lies on stay in sight, and it is read
    under.setAlpha(200);
    item->setBrush(under);
    item->setVisible(false);
    labelItems.push_back(item);
}

namespace {

/// The line of a front: on from each point, then down or up to the next.
void addSteps(std::vector<QRectF>& all, QCPAxis* x, QCPAxis* y, const PlotSeries& steps) {
    const auto pixel = [&](qsizetype k) {
        return QPointF(x->coordToPixel(steps.x[k]), y->coordToPixel(steps.y[k]));
    };
    for (qsizetype k = 1; k < steps.x.size(); ++k) {
        const QPointF from = pixel(k - 1);
        const QPointF to = pixel(k);
        const QPointF corner(to.x(), from.y());
        all.push_back(QRectF(from, corner).normalized().adjusted(-1, -1, 1, 1));
        all.push_back(QRectF(corner, to).normalized().adjusted(-1, -1, 1, 1));
    }
}

} // namespace

/// What labels must not hide: marks that are not small dots, the line of the front, the legend, and
/// labels of limits.
std::vector<QRectF> Plot::Canvas::obstacles() const {
    std::vector<QRectF> all;
    for (const PlotSeries& s : series)
        if (s.style == PlotStyle::StepLine)
            addSteps(all, plot->xAxis, valueAxis(s.side), s);
    for (const PlotSeries& s : series)
        if (s.style == PlotStyle::Diamonds || s.style == PlotStyle::Ring)
            for (qsizetype k = 0; k < s.x.size(); ++k) {
                const QPointF at(plot->xAxis->coordToPixel(s.x[k]),
                                 valueAxis(s.side)->coordToPixel(s.y[k]));
                all.emplace_back(at - QPointF(s.size, s.size) / 2, QSizeF(s.size, s.size));
            }
    if (plot->legend->visible())
        all.emplace_back(plot->legend->outerRect());
    for (int k = 0; k < plot->itemCount(); ++k)
        if (const auto* text = qobject_cast<QCPItemText*>(plot->item(k));
            text && std::ranges::find(labelItems, text) == labelItems.end())
            all.emplace_back(text->topLeft->pixelPosition(), text->bottomRight->pixelPosition());
    return all;
}

void Plot::Canvas::moveLabels() {
    const QFontMetricsF letters(plot->font());
    std::vector<LabelWish> wishes;
    for (const PlotLabel& label : labels)
        wishes.push_back({{plot->xAxis->coordToPixel(label.x), plot->yAxis->coordToPixel(label.y)},
                          letters.size(Qt::TextSingleLine, label.text) + QSizeF(8, 0)});
    const auto places = placeLabels(wishes, obstacles(), QRectF(plot->axisRect()->rect()));
    for (std::size_t k = 0; k < places.size(); ++k) {
        labelItems[k]->setVisible(places[k].has_value());
        if (places[k])
            labelItems[k]->position->setCoords(places[k]->topLeft());
    }
}

QRectF Plot::Canvas::between(QPoint one, QPoint other) const {
    const QPointF from(plot->xAxis->pixelToCoord(one.x()), plot->yAxis->pixelToCoord(one.y()));
    const QPointF to(plot->xAxis->pixelToCoord(other.x()), plot->yAxis->pixelToCoord(other.y()));
    return QRectF(from, to).normalized();
}

PlotExtent Plot::Canvas::extentX() const {
    PlotExtent extent;
    for (const PlotSeries& s : series)
        for (const double x : s.x)
            extent.add(x, axes.logX);
    return extent;
}

PlotExtent Plot::Canvas::extentY(PlotSide side) const {
    PlotExtent extent;
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

} // namespace marquetry::widgets
