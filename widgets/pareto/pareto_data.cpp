#include "widgets/pareto/pareto_data.h"

#include "widgets/text/number_text.h"

#include <QObject>
#include <QStringList>

#include <algorithm>
#include <limits>

namespace marquetry::widgets {

namespace {

using design::DesignPoint;

void thin(std::vector<ParetoPoint>& points) {
    if (points.size() <= kMaxDrawnPoints)
        return;
    std::vector<ParetoPoint> kept;
    kept.reserve(kMaxDrawnPoints);
    for (std::size_t k = 0; k < kMaxDrawnPoints; ++k)
        kept.push_back(points[k * points.size() / kMaxDrawnPoints]);
    points = std::move(kept);
}

std::vector<ParetoPoint> stairOf(const std::vector<ParetoPoint>& front) {
    std::vector<ParetoPoint> stair;
    double best = std::numeric_limits<double>::infinity();
    for (const ParetoPoint& point : front) {
        if (point.y >= best)
            continue;
        best = point.y;
        stair.push_back(point);
    }
    return stair;
}

QString resourcesText(const device::Resources& resources) {
    return QObject::tr("%1 DSP · %2 block RAM · %3 LUT")
        .arg(amount(resources.dsp), amount(resources.bram), amount(resources.lut));
}

QString csvField(const std::string& text) {
    QString field = QString::fromStdString(text);
    if (!field.contains(u',') && !field.contains(u'"') && !field.contains(u'\n'))
        return field;
    return u'"' + field.replace(QStringLiteral("\""), QStringLiteral("\"\"")) + u'"';
}

} // namespace

QString axisTitle(ParetoAxis axis) {
    switch (axis) {
    case ParetoAxis::Dsp:
        return QObject::tr("DSP blocks");
    case ParetoAxis::Bram:
        return QObject::tr("block RAM");
    case ParetoAxis::Lut:
        return QObject::tr("LUTs");
    }
    return {};
}

double resourceOf(const device::Resources& resources, ParetoAxis axis) {
    switch (axis) {
    case ParetoAxis::Dsp:
        return resources.dsp;
    case ParetoAxis::Bram:
        return resources.bram;
    case ParetoAxis::Lut:
        return resources.lut;
    }
    return 0;
}

ParetoData paretoData(const std::vector<DesignPoint>& points, ParetoAxis axis) {
    ParetoData data;
    data.total = points.size();
    for (std::size_t k = 0; k < points.size(); ++k) {
        const DesignPoint& point = points[k];
        auto& list = !point.feasible ? data.infeasible
                     : point.onFront ? data.front
                                     : data.dominated;
        list.push_back({k, resourceOf(point.resources, axis), point.cyclesPerFrame()});
    }
    std::sort(data.front.begin(), data.front.end(), [](const auto& a, const auto& b) {
        return std::tie(a.x, a.y, a.index) < std::tie(b.x, b.y, b.index);
    });
    data.stair = stairOf(data.front);
    thin(data.dominated);
    thin(data.infeasible);
    return data;
}

std::vector<std::size_t> pointsWithin(const std::vector<DesignPoint>& points, ParetoAxis axis,
                                      const std::optional<QRectF>& range) {
    std::vector<std::size_t> within;
    for (std::size_t k = 0; k < points.size(); ++k) {
        const double x = resourceOf(points[k].resources, axis);
        const double y = points[k].cyclesPerFrame();
        if (!range || (x >= range->left() && x <= range->right() && y >= range->top() &&
                       y <= range->bottom()))
            within.push_back(k);
    }
    return within;
}

QString standingText(const DesignPoint& point) {
    return !point.feasible ? QObject::tr("over a limit")
           : point.onFront ? QObject::tr("on the front")
                           : QObject::tr("dominated");
}

QString labelText(const ParetoPoint& point, ParetoAxis axis) {
    const QString unit = axis == ParetoAxis::Dsp    ? QObject::tr("DSP")
                         : axis == ParetoAxis::Bram ? QObject::tr("BRAM")
                                                    : QObject::tr("LUT");
    return QStringLiteral("%1 %2 · %3").arg(amount(point.x), unit, amount(point.y));
}

QString paretoCsv(const std::vector<DesignPoint>& points) {
    QString out = QStringLiteral("cycles,frames,dsp,lut,ff,bram,front,feasible,label\n");
    for (const DesignPoint& point : points) {
        const device::Resources& r = point.resources;
        const QStringList row{QString::number(point.cycles),
                              QString::number(point.frames),
                              QString::number(r.dsp, 'g', 12),
                              QString::number(r.lut, 'g', 12),
                              QString::number(r.ff, 'g', 12),
                              QString::number(r.bram, 'g', 12),
                              QString::number(point.onFront ? 1 : 0),
                              QString::number(point.feasible ? 1 : 0),
                              csvField(point.label)};
        out += row.join(u',') + u'\n';
    }
    return out;
}

QString pointText(const SweepPoint& point) {
    return QStringList{point.settings,
                       QObject::tr("%1 cycles").arg(grouped(qRound64(point.cycles))),
                       resourcesText(point.resources), QObject::tr("of the sweep")}
        .join(u'\n');
}

QString pointText(const DesignPoint& point) {
    QStringList lines;
    if (!point.label.empty())
        lines << QString::fromStdString(point.label);
    lines << frameCyclesText(point.cycles, point.frames);
    lines << resourcesText(point.resources);
    lines << standingText(point);
    return lines.join(u'\n');
}

} // namespace marquetry::widgets
