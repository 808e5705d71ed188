#include "widgets/canvas/scene_painter.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace marquetry::widgets {

namespace {

constexpr double kFewLetters = 26; ///< pixels: the least width of a text that is cut
constexpr double kTitlePixels = 11;
constexpr double kLargestTitle = 18;
constexpr double kDashScale = 0.3;
constexpr double kArrowScale = 0.25;
constexpr double kSmoothScale = 0.25;
constexpr double kCaptionRatio = 0.85;

Qt::PenStyle styleOf(Dash dash) {
    switch (dash) {
    case Dash::Dotted:
        return Qt::DotLine;
    case Dash::Dashed:
        return Qt::DashLine;
    case Dash::Solid:
        break;
    }
    return Qt::SolidLine;
}

QFont fontOf(double pixels, bool bold) {
    QFont font = textFont(10);
    font.setPixelSize(std::max(1, static_cast<int>(std::lround(pixels))));
    font.setBold(bold);
    return font;
}

QPainterPath curve(const QPolygonF& points) {
    QPainterPath path;
    if (points.size() < 2)
        return path;
    path.moveTo(points[0]);
    if (points.size() % 3 != 1) {
        for (qsizetype k = 1; k < points.size(); ++k)
            path.lineTo(points[k]);
        return path;
    }
    for (qsizetype k = 1; k + 2 < points.size(); k += 3)
        path.cubicTo(points[k], points[k + 1], points[k + 2]);
    return path;
}

/// A font with its metrics, which are costly to make for each text.
struct Lettering {
    explicit Lettering(double pixels, bool bold)
        : font(fontOf(std::max(pixels, kSmallestText), bold)), metrics(font) {}

    /// What of the text has room; empty when that says nothing.
    QString fitting(const QString& text, double room) const {
        if (room < kFewLetters && metrics.horizontalAdvance(text) > room)
            return {};
        return metrics.elidedText(text, Qt::ElideRight, room);
    }

    QFont font;
    QFontMetricsF metrics;
};

class ScenePainter {
public:
    ScenePainter(QPainter& painter, const Scene& scene, const Viewport& view, const Theme& theme)
        : painter_(painter),
          scene_(scene),
          view_(view),
          theme_(theme),
          seen_(view.visible()),
          detailed_(view.scale >= kDashScale),
          plain_(scene.fontSize * view.scale, false),
          bold_(scene.fontSize * view.scale, true),
          small_(scene.fontSize * kCaptionRatio * view.scale, false) {}

    PaintStats run(const PaintParams& params) {
        painter_.save();
        texts_ = params.texts;
        if (params.background)
            painter_.fillRect(QRectF(QPointF(0, 0), view_.size), theme_[Role::Background]);
        painter_.setRenderHint(QPainter::Antialiasing, view_.scale >= kSmoothScale);
        painter_.setRenderHint(QPainter::TextAntialiasing);
        for (const SceneBox& frame : scene_.frames)
            drawBox(frame);
        drawEdges(params.edgeBudget);
        for (const SceneBox& box : scene_.boxes)
            drawBox(box);
        if (params.texts)
            for (const SceneBox& frame : scene_.frames)
                drawCaption(frame);
        drawHeads();
        if (scene_.empty() && !scene_.message.isEmpty())
            drawMessage();
        painter_.restore();
        return stats_;
    }

private:
    void drawBox(const SceneBox& box) {
        if (!box.rect.intersects(seen_))
            return;
        ++stats_.boxes;
        const QRectF rect(view_.toScreen(box.rect.topLeft()), box.rect.size() * view_.scale);
        if (rect.width() < 2.5 || rect.height() < 2.5) {
            painter_.fillRect(QRectF(rect.topLeft(), rect.size().expandedTo(QSizeF(1, 1))),
                              theme_[box.lineWidth > 1.5 ? box.line : box.fill]);
            return;
        }
        QPen pen(theme_[box.line], std::max(0.8, box.lineWidth * std::min(view_.scale, 1.6)));
        pen.setStyle(box.line == Role::None ? Qt::NoPen
                     : detailed_            ? styleOf(box.dash)
                                            : Qt::SolidLine);
        painter_.setPen(pen);
        painter_.setBrush(box.fill == Role::None ? QBrush(Qt::NoBrush) : QBrush(theme_[box.fill]));
        const double radius = box.radius * view_.scale;
        if (radius >= 1.5)
            painter_.drawRoundedRect(rect, radius, radius);
        else
            painter_.drawRect(rect);
        if (texts_)
            drawText(box, rect);
        if (box.badge)
            drawBadge(rect.topRight());
    }

    void drawText(const SceneBox& box, const QRectF& rect) {
        const Lettering& pen = box.bold ? bold_ : plain_;
        if (box.text.isEmpty() || rect.height() < pen.metrics.ascent())
            return;
        const QString shown = pen.fitting(box.text, rect.width() - 4);
        if (shown.isEmpty())
            return;
        painter_.setFont(pen.font);
        painter_.setPen(theme_[box.ink]);
        painter_.drawText(rect, Qt::AlignCenter | Qt::TextDontClip, shown);
    }

    /// Above the edges, on the frame's ground, so that no line runs through the letters.
    void drawCaption(const SceneBox& box) {
        if (box.caption.isEmpty() || !box.rect.intersects(seen_) ||
            kCaptionHeight * view_.scale < small_.metrics.ascent())
            return;
        const double room = std::min(box.captionRoom, box.rect.width()) * view_.scale;
        const QString shown = small_.fitting(box.caption, room - 12 * view_.scale);
        if (shown.isEmpty())
            return;
        const QPointF corner = view_.toScreen(box.rect.topLeft());
        const QPointF place(corner.x() + 8 * view_.scale,
                            corner.y() + 2 * view_.scale + small_.metrics.ascent());
        painter_.fillRect(QRectF(place.x() - 2, place.y() - small_.metrics.ascent(),
                                 small_.metrics.horizontalAdvance(shown) + 4,
                                 small_.metrics.height()),
                          theme_[box.fill]);
        painter_.setFont(small_.font);
        painter_.setPen(theme_[Role::Muted]);
        painter_.drawText(place, shown);
    }

    void drawBadge(QPointF centre) {
        const double radius = std::clamp(7 * view_.scale, 3.0, 10.0);
        painter_.setPen(QPen(theme_[Role::PinInk], std::max(1.0, radius / 5)));
        painter_.setBrush(theme_[Role::Pin]);
        painter_.drawEllipse(centre, radius, radius);
        painter_.setBrush(theme_[Role::PinInk]);
        painter_.setPen(Qt::NoPen);
        painter_.drawEllipse(centre, radius * 0.35, radius * 0.35);
    }

    void drawEdges(std::size_t budget) {
        std::vector<const SceneEdge*> drawn;
        for (auto edge = scene_.edges.rbegin(); edge != scene_.edges.rend(); ++edge) {
            const QRectF box = edge->points.boundingRect().adjusted(-1, -1, 1, 1);
            if (!box.intersects(seen_))
                continue;
            if (drawn.size() < budget && view_.scale >= edge->fromScale)
                drawn.push_back(&*edge);
            else
                ++stats_.edgesLeftOut;
        }
        stats_.edges = drawn.size();
        for (auto edge = drawn.rbegin(); edge != drawn.rend(); ++edge)
            drawEdge(**edge);
    }

    void drawEdge(const SceneEdge& edge) {
        QPolygonF points;
        points.reserve(edge.points.size());
        for (const QPointF& point : edge.points)
            points.append(view_.toScreen(point));
        const bool faint = view_.scale < kSmoothScale && edge.line == Role::Line;
        QPen pen(theme_[faint ? Role::Grid : edge.line],
                 std::max(0.8, edge.width * std::min(view_.scale, 1.6)));
        pen.setJoinStyle(Qt::RoundJoin);
        painter_.setPen(pen);
        painter_.setBrush(Qt::NoBrush);
        if (points.size() == 2)
            painter_.drawLine(points[0], points[1]);
        else
            painter_.drawPath(curve(points));
        if (edge.arrow && view_.scale >= kArrowScale && points.size() >= 2)
            heads_.push_back({points[points.size() - 2], points.last(), &edge});
    }

    /// After the captions, which may lie where an edge enters its frame.
    void drawHeads() {
        for (const Head& head : heads_)
            drawHead(head.from, head.tip, *head.edge);
    }

    void drawHead(QPointF from, QPointF tip, const SceneEdge& edge) {
        const QPointF along = tip - from;
        const double length = std::hypot(along.x(), along.y());
        if (length < 1e-6)
            return;
        const double size = (5 + 2 * edge.width) * std::min(view_.scale, 1.6);
        const QPointF unit = along / length;
        const QPointF side(-unit.y(), unit.x());
        const QPointF base = tip - unit * size;
        painter_.setPen(Qt::NoPen);
        painter_.setBrush(theme_[edge.line]);
        painter_.drawPolygon(
            QPolygonF({tip, base + side * (size * 0.45), base - side * (size * 0.45)}));
    }

    void drawMessage() {
        painter_.setFont(fontOf(13, false));
        painter_.setPen(theme_[Role::Muted]);
        painter_.drawText(QRectF(QPointF(0, 0), view_.size).adjusted(24, 24, -24, -24),
                          Qt::AlignCenter | Qt::TextWordWrap, scene_.message);
    }

    QPainter& painter_;
    const Scene& scene_;
    const Viewport& view_;
    const Theme& theme_;
    QRectF seen_;
    bool detailed_;
    bool texts_ = true;
    Lettering plain_;
    Lettering bold_;
    Lettering small_;
    struct Head {
        QPointF from;
        QPointF tip;
        const SceneEdge* edge;
    };
    std::vector<Head> heads_;
    PaintStats stats_;
};

void outline(QPainter& painter, const QRectF& rect, const QPen& pen, double radius) {
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(rect, radius, radius);
}

} // namespace

PaintStats paint(QPainter& painter, const Scene& scene, const Viewport& viewport,
                 const Theme& theme, const PaintParams& params) {
    return ScenePainter(painter, scene, viewport, theme).run(params);
}

void paintHighlights(QPainter& painter, const Scene& scene, const Viewport& viewport,
                     const Theme& theme, const Highlights& highlights) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const double zoom = std::min(viewport.scale, 1.6);
    for (const auto* list : {&scene.frames, &scene.boxes})
        for (const SceneBox& box : *list) {
            if (box.key == kNoKey)
                continue;
            const QRectF rect(viewport.toScreen(box.rect.topLeft()),
                              box.rect.size() * viewport.scale);
            const QRectF grown = rect.adjusted(-3, -3, 3, 3);
            const double radius = box.radius * viewport.scale + 3;
            if (box.key == highlights.selected)
                outline(painter, grown, QPen(theme[Role::Selected], std::max(2.2, 3 * zoom)),
                        radius);
            else if (std::ranges::binary_search(highlights.linked, box.key))
                outline(painter, grown, QPen(theme[Role::Linked], std::max(1.6, 2 * zoom)), radius);
            if (box.key == highlights.hovered)
                outline(painter, rect, QPen(theme[Role::Ink], 1.5), box.radius * viewport.scale);
        }
    painter.restore();
}

void paintTitles(QPainter& painter, const Scene& scene, const Viewport& viewport,
                 const Theme& theme) {
    painter.save();
    const QRectF all(QPointF(0, 0), viewport.size);
    const Lettering pen(std::clamp(scene.fontSize * viewport.scale, kTitlePixels, kLargestTitle),
                        true);
    painter.setFont(pen.font);
    for (const SceneBox& frame : scene.frames) {
        if (frame.title.isEmpty())
            continue;
        const QRectF rect(viewport.toScreen(frame.rect.topLeft()),
                          frame.rect.size() * viewport.scale);
        const QRectF part = rect & all;
        const double room = part.width() - 10;
        const bool whole = pen.metrics.horizontalAdvance(frame.title) <= room;
        const QString name = frame.title.section(QStringLiteral(" · "), 0, 0);
        const QString shown = pen.fitting(whole ? frame.title : name, room);
        if (shown.isEmpty() || part.height() < pen.metrics.height() + 2)
            continue;
        const QRectF plate(part.topLeft() + QPointF(2, 2),
                           QSizeF(pen.metrics.horizontalAdvance(shown) + 6, pen.metrics.height()));
        painter.fillRect(plate, theme[frame.fill]);
        painter.setPen(theme[Role::Ink]);
        painter.drawText(QPointF(plate.left() + 3, plate.top() + pen.metrics.ascent()), shown);
    }
    painter.restore();
}

void paintMinimap(QPainter& painter, const Scene& scene, const QRectF& place, const Theme& theme) {
    painter.save();
    painter.translate(place.topLeft());
    const QRectF bounds = scene.bounds();
    Viewport view;
    view.size = place.size();
    view.centre = bounds.center();
    if (!bounds.isEmpty())
        view.scale =
            std::min((place.width() - 8) / bounds.width(), (place.height() - 8) / bounds.height());
    painter.setClipRect(QRectF(QPointF(0, 0), place.size()));
    ScenePainter(painter, scene, view, theme)
        .run({.edgeBudget = 300, .background = true, .texts = false});
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(theme[Role::Line]);
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRectF(0, 0, place.width() - 1, place.height() - 1));
    painter.restore();
}

} // namespace marquetry::widgets
