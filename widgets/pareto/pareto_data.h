// What the Pareto plot shows, without any widget: points of one resource against cycles.
//
// x is the chosen resource in the device's own blocks (or LUTs), y is cycles of the cost model. The
// stepped line joins the front's points that no other front point beats in these two coordinates,
// from few resources and many cycles to many resources and few cycles. A point that is on the front
// because of another resource is a diamond off that line. Indices refer to the snapshot's list of
// points.
// Complexity: O(points log points). Thread rule: pure.
#pragma once

#include "engine/design/design.h"

#include <QRectF>
#include <QString>

#include <cstddef>
#include <optional>
#include <vector>

namespace marquetry::widgets {

enum class ParetoAxis { Dsp, Bram, Lut };

QString axisTitle(ParetoAxis axis);
double resourceOf(const device::Resources& resources, ParetoAxis axis);

struct ParetoPoint {
    std::size_t index = 0;
    double x = 0;
    double y = 0;
};

struct ParetoData {
    std::vector<ParetoPoint> dominated; ///< feasible, not on the front
    std::vector<ParetoPoint> infeasible;
    std::vector<ParetoPoint> front; ///< x rising, then cycles falling
    std::vector<ParetoPoint> stair;
    std::size_t total = 0; ///< before the cap on drawn points
};

/// Drawn points off the front; beyond it an evenly spaced selection is drawn, and the view says so.
inline constexpr std::size_t kMaxDrawnPoints = 5000;

ParetoData paretoData(const std::vector<design::DesignPoint>& points, ParetoAxis axis);

/// Those that lie in a range of both axes (x and y rise; nothing: everywhere), by index.
std::vector<std::size_t> pointsWithin(const std::vector<design::DesignPoint>& points,
                                      ParetoAxis axis, const std::optional<QRectF>& range);

/// "over a limit", "on the front", "dominated".
QString standingText(const design::DesignPoint& point);

/// What is written beside a point: "64 DSP · 26 641".
QString labelText(const ParetoPoint& point, ParetoAxis axis);

/// "cycles,dsp,lut,ff,bram,front,feasible,label", one row per point, in the snapshot's order.
QString paretoCsv(const std::vector<design::DesignPoint>& points);

/// What one point of a sweep found (docs/sweeps.md): a design of other settings than those at hand.
struct SweepPoint {
    QString settings; ///< "zu3eg, dsp=60, area"
    double cycles = 0;
    device::Resources resources;
};

/// The tooltip of a point of a sweep.
QString pointText(const SweepPoint& point);

/// The tooltip of a point: label, cycles, resources, standing.
QString pointText(const design::DesignPoint& point);

} // namespace marquetry::widgets
