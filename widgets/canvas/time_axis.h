// What pictures over time share: the span of clocks that is shown, which zooms and moves, ticks at
// round clocks, and hatches.
//
// Units: clocks, pixels. Complexity: O(1); hatches O(lines). Thread rule: values, pure but for the
// painter.
#pragma once

#include <QColor>
#include <QRectF>

class QPainter;

namespace marquetry::widgets {

/// Clocks from … to, of `all` that there are.
struct TimeSpan {
    double from = 0;
    double to = 1;

    void fit(double all);
    /// The clock `at` stays where it is; no fewer than a few clocks are shown.
    void zoom(double factor, double at, double all);
    void moveBy(double clocks, double all);
    /// So that the clocks begin … end are in sight.
    void reveal(double begin, double end, double all);
    bool operator==(const TimeSpan&) const = default;
};

/// 1, 2 or 5 times a power of ten, and no less than `wanted`.
double tickStep(double wanted);

enum HatchLines : unsigned { Plain = 0, Rising = 1, Falling = 2, Across = 4, Upright = 8 };

/// Lines of our own: pattern brushes are lost in SVG readers, and do not scale.
void drawHatch(QPainter& painter, const QRectF& rect, unsigned hatch, const QColor& ink);

} // namespace marquetry::widgets
