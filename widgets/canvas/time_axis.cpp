#include "widgets/canvas/time_axis.h"

#include <QLineF>
#include <QList>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace marquetry::widgets {

namespace {

constexpr double kLeastSpan = 16;
constexpr double kHatchGap = 5;

} // namespace

void TimeSpan::fit(double all) {
    from = 0;
    to = all;
}

void TimeSpan::zoom(double factor, double at, double all) {
    const double span = std::clamp((to - from) / factor, std::min(kLeastSpan, all), all);
    const double share = (at - from) / (to - from);
    from = std::clamp(at - share * span, 0.0, all - span);
    to = from + span;
}

void TimeSpan::moveBy(double clocks, double all) {
    const double span = to - from;
    from = std::clamp(from + clocks, 0.0, std::max(0.0, all - span));
    to = from + span;
}

void TimeSpan::reveal(double begin, double end, double all) {
    if (begin >= from && end <= to)
        return;
    const double span = to - from;
    const double wanted = end - begin > span ? begin : (begin + end - span) / 2;
    moveBy(wanted - from, all);
}

double tickStep(double wanted) {
    const double power = std::pow(10, std::floor(std::log10(std::max(1.0, wanted))));
    for (const double k : {1.0, 2.0, 5.0})
        if (k * power >= wanted)
            return k * power;
    return 10 * power;
}

void drawHatch(QPainter& painter, const QRectF& rect, unsigned hatch, const QColor& ink) {
    QList<QLineF> lines;
    for (double d = kHatchGap - rect.height(); hatch & (Rising | Falling) && d < rect.width();
         d += kHatchGap) {
        const double from = std::max(0.0, d);
        const double to = std::min(rect.width(), d + rect.height());
        const double low = from - d;
        const double high = to - d;
        if (hatch & Rising)
            lines.append(QLineF(rect.left() + from, rect.bottom() - low, rect.left() + to,
                                rect.bottom() - high));
        if (hatch & Falling)
            lines.append(
                QLineF(rect.left() + from, rect.top() + low, rect.left() + to, rect.top() + high));
    }
    for (double d = kHatchGap; hatch & Upright && d < rect.width(); d += kHatchGap)
        lines.append(QLineF(rect.left() + d, rect.top(), rect.left() + d, rect.bottom()));
    for (double d = kHatchGap; hatch & Across && d < rect.height(); d += kHatchGap)
        lines.append(QLineF(rect.left(), rect.top() + d, rect.right(), rect.top() + d));
    painter.setPen(QPen(ink, 0.8));
    painter.drawLines(lines);
}

} // namespace marquetry::widgets
