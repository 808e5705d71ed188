#include "app/icons.h"

#include "widgets/theme/theme.h"

#include <QPainter>
#include <QPainterPath>
#include <QPixmap>

namespace marquetry::app {

namespace {

constexpr int kGrid = 16; ///< icons are designed on a 16 × 16 grid

const QColor kGo = widgets::categoryColour(2);
const QColor kAccent = widgets::categoryColour(4);
const QColor kHalt = widgets::categoryColour(5);

QPolygonF polygon(std::initializer_list<QPointF> points) {
    return QPolygonF(QList<QPointF>(points));
}

QPainterPath filled(Icon icon) {
    QPainterPath path;
    switch (icon) {
    case Icon::Run:
        path.addPolygon(polygon({{4, 2}, {14, 8}, {4, 14}}));
        break;
    case Icon::Pause:
        path.addRect(3.5, 2.5, 3, 11);
        path.addRect(9.5, 2.5, 3, 11);
        break;
    case Icon::Step:
        path.addPolygon(polygon({{2.5, 2.5}, {10, 8}, {2.5, 13.5}}));
        path.addRect(11, 2.5, 2.5, 11);
        break;
    case Icon::Stop:
        path.addRect(3, 3, 10, 10);
        break;
    case Icon::Gallery:
        for (const double x : {2.0, 9.0})
            for (const double y : {2.0, 9.0})
                path.addRect(x, y, 5, 5);
        break;
    default:
        break;
    }
    return path;
}

QPainterPath outlined(Icon icon) {
    QPainterPath path;
    switch (icon) {
    case Icon::Open:
        path.addPolygon(
            polygon({{1.5, 13}, {1.5, 3}, {6, 3}, {7.5, 5}, {14.5, 5}, {14.5, 13}, {1.5, 13}}));
        path.moveTo(1.5, 7.5);
        path.lineTo(14.5, 7.5);
        break;
    case Icon::Undo:
    case Icon::Redo:
        path.moveTo(4, 5.5);
        path.lineTo(10, 5.5);
        path.cubicTo(14.5, 5.5, 14.5, 12.5, 10, 12.5);
        path.lineTo(5, 12.5);
        path.moveTo(6.5, 2.5);
        path.lineTo(3.5, 5.5);
        path.lineTo(6.5, 8.5);
        break;
    case Icon::Export:
        path.moveTo(8, 10);
        path.lineTo(8, 1.5);
        path.moveTo(5, 4.5);
        path.lineTo(8, 1.5);
        path.lineTo(11, 4.5);
        path.addPolygon(polygon({{2.5, 8.5}, {2.5, 14}, {13.5, 14}, {13.5, 8.5}}));
        break;
    case Icon::Verify:
        path.addEllipse(1.5, 1.5, 13, 13);
        path.addPolygon(polygon({{4.5, 8.5}, {7, 11}, {11.5, 5.5}}));
        break;
    case Icon::Settings:
        for (const double y : {4.0, 8.0, 12.0}) {
            path.moveTo(2, y);
            path.lineTo(14, y);
        }
        path.addEllipse(QPointF(5, 4), 1.6, 1.6);
        path.addEllipse(QPointF(11, 8), 1.6, 1.6);
        path.addEllipse(QPointF(6, 12), 1.6, 1.6);
        break;
    default:
        break;
    }
    return path;
}

QColor inkOf(Icon icon, const QPalette& palette, QIcon::Mode mode) {
    if (mode == QIcon::Disabled)
        return palette.color(QPalette::Disabled, QPalette::ButtonText);
    switch (icon) {
    case Icon::Run:
    case Icon::Step:
        return kGo;
    case Icon::Stop:
        return kHalt;
    case Icon::Gallery:
        return kAccent;
    default:
        return palette.color(QPalette::ButtonText);
    }
}

QPixmap drawn(Icon icon, const QColor& ink, int scale) {
    QPixmap pixmap(kGrid * scale, kGrid * scale);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.scale(scale, scale);
    if (icon == Icon::Redo) {
        painter.translate(kGrid, 0);
        painter.scale(-1, 1);
    }
    painter.fillPath(filled(icon), ink);
    QPen pen(ink, 1.5);
    pen.setJoinStyle(Qt::RoundJoin);
    pen.setCapStyle(Qt::RoundCap);
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(outlined(icon));
    return pixmap;
}

} // namespace

QIcon drawnIcon(Icon icon, const QPalette& palette) {
    QIcon result;
    for (const QIcon::Mode mode : {QIcon::Normal, QIcon::Disabled})
        for (const int scale : {1, 2, 3})
            result.addPixmap(drawn(icon, inkOf(icon, palette, mode), scale), mode);
    return result;
}

} // namespace marquetry::app
