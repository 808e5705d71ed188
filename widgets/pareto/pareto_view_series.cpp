// What the plot of the view draws.
#include "widgets/pareto/pareto_view.h"

#include "widgets/text/number_text.h"
#include "widgets/theme/theme.h"

#include <QCheckBox>
#include <QComboBox>

#include <algorithm>

namespace marquetry::widgets {

namespace {

constexpr double kEarlierReach = 12;  ///< pixels around the pointer
constexpr qsizetype kMostLabels = 24; ///< of the front: more are not read

// Vermilion, blue, green, grey.
const QColor kFront = categoryColour(5);
const QColor kCurrent = categoryColour(4);
const QColor kPicked = categoryColour(2);
const QColor kDominated = categoryColour(7);
const QColor kSweep = categoryColour(1);
const QColor kEarlier = categoryColour(6); // purple

PlotSeries seriesOf(const QString& name, PlotStyle style, const QColor& colour, double size) {
    PlotSeries series;
    series.name = name;
    series.style = style;
    series.colour = colour;
    series.size = size;
    return series;
}

void append(PlotSeries& series, const std::vector<ParetoPoint>& points) {
    series.x.reserve(static_cast<qsizetype>(points.size()));
    series.y.reserve(static_cast<qsizetype>(points.size()));
    for (const ParetoPoint& point : points) {
        series.x.append(point.x);
        series.y.append(point.y);
    }
}

} // namespace

QVector<PlotSeries> ParetoView::series() const {
    QVector<PlotSeries> all;
    if (!sweep_.empty()) {
        PlotSeries sweep = seriesOf(tr("sweep of %1").arg(sweepName_), PlotStyle::Dots, kSweep, 6);
        for (const SweepPoint& point : sweep_) {
            sweep.x.append(resourceOf(point.resources, axis()));
            sweep.y.append(point.cycles);
        }
        all.append(sweep);
    }
    if (!snapshot_)
        return all;
    addEarlier(all);
    PlotSeries dominated = seriesOf(tr("dominated"), PlotStyle::Dots, kDominated, 4);
    append(dominated, data_.dominated);
    PlotSeries over = seriesOf(tr("over a limit"), PlotStyle::Crosses, kDominated, 5);
    append(over, data_.infeasible);
    PlotSeries stair = seriesOf(tr("front"), PlotStyle::StepLine, kFront, 1.8);
    append(stair, data_.stair);
    PlotSeries front = seriesOf({}, PlotStyle::Diamonds, kFront, 8);
    append(front, data_.front);
    for (const PlotSeries& s : {dominated, over, stair, front})
        if (!s.x.isEmpty())
            all.append(s);
    if (snapshot_->design) {
        PlotSeries current = seriesOf(tr("current"), PlotStyle::Ring, kCurrent, 13);
        current.x.append(resourceOf(snapshot_->design->resources, axis()));
        current.y.append(snapshot_->design->cyclesPerFrame());
        all.append(current);
    }
    if (picked_) {
        const design::DesignPoint& point = snapshot_->points[*picked_];
        PlotSeries picked = seriesOf(tr("picked"), PlotStyle::Ring, kPicked, 19);
        picked.x.append(resourceOf(point.resources, axis()));
        picked.y.append(point.cyclesPerFrame());
        all.append(picked);
    }
    return all;
}

bool ParetoView::ofSeveralFrames() const {
    return snapshot_ &&
           std::ranges::any_of(snapshot_->points,
                               [](const design::DesignPoint& point) { return point.frames > 1; });
}

QVector<PlotLimit> ParetoView::limits() const {
    QVector<PlotLimit> all;
    if (!snapshot_)
        return all;
    const double limit = resourceOf(snapshot_->limits, axis());
    if (limit > 0)
        all.append({Qt::Vertical, limit, tr("limit %1").arg(amount(limit))});
    const auto cycles = snapshot_->settings.limits.find("cycles"); // of a run
    if (cycles != snapshot_->settings.limits.end() && !ofSeveralFrames())
        all.append({Qt::Horizontal, cycles->second, tr("limit %1").arg(amount(cycles->second))});
    return all;
}

void ParetoView::addEarlier(QVector<PlotSeries>& all) const {
    if (!earlier_->isChecked())
        return;
    bool first = true;
    for (const EarlierFront& front : history_.earlier()) {
        const ParetoData drawn = paretoData(front.points, axis());
        PlotSeries stair =
            seriesOf(first ? tr("earlier fronts") : QString(), PlotStyle::StepLine, kEarlier, 1);
        append(stair, drawn.stair);
        PlotSeries points = seriesOf({}, PlotStyle::Dots, kEarlier, 5);
        append(points, drawn.stair);
        all.append({stair, points});
        first = false;
    }
}

/// Of the stair: what is picked and at hand, its ends, then from left to right.
std::vector<ParetoPoint> ParetoView::byImportance() const {
    std::vector<ParetoPoint> points = data_.stair;
    const auto rank = [&](const ParetoPoint& point) {
        if (picked_ == point.index)
            return 0;
        const bool atHand = snapshot_->design && snapshot_->design->cyclesPerFrame() == point.y &&
                            resourceOf(snapshot_->design->resources, axis()) == point.x;
        const bool atEnd =
            point.index == data_.stair.front().index || point.index == data_.stair.back().index;
        return atHand ? 1 : atEnd ? 2 : 3;
    };
    std::ranges::stable_sort(points, {}, rank);
    return points;
}

QVector<PlotLabel> ParetoView::labels() const {
    QVector<PlotLabel> all;
    if (!snapshot_)
        return all;
    for (const ParetoPoint& point : byImportance())
        if (all.size() < kMostLabels)
            all.append({point.x, point.y, labelText(point, axis()), {}});
    if (earlier_->isChecked())
        for (const EarlierFront& front : history_.earlier())
            if (const ParetoData drawn = paretoData(front.points, axis()); !drawn.stair.empty())
                all.append({drawn.stair.back().x,
                            drawn.stair.back().y,
                            tr("before: %1").arg(settingsThen(front, *snapshot_)),
                            {}});
    return all;
}

std::optional<std::pair<std::size_t, design::DesignPoint>>
ParetoView::earlierAt(QPointF pixel) const {
    std::optional<std::pair<std::size_t, design::DesignPoint>> nearest;
    double best = kEarlierReach * kEarlierReach;
    for (std::size_t k = 0; earlier_->isChecked() && k < history_.earlier().size(); ++k) {
        const auto& points = history_.earlier()[k].points;
        for (const ParetoPoint& point : paretoData(points, axis()).stair) {
            const QPointF away = plot_->toPixel({point.x, point.y}) - pixel;
            const double distance = QPointF::dotProduct(away, away);
            if (distance < best) {
                best = distance;
                nearest = {k, points[point.index]};
            }
        }
    }
    return nearest;
}

} // namespace marquetry::widgets
