// Scene: what a canvas shows, as plain data in scene units (pixels at scale 1, y downwards).
//
// Colours are roles, so a scene does not know the theme; a box or edge may carry a key, the
// client's index for picking, hovering and selecting (kNoKey: not an object). Boxes are drawn in
// order: frames first, then edges, then the boxes inside.
// Texts lie within their box or frame; what has not enough room there is cut with "…".
// Bounds of the scene are those of its boxes and edges.
// Thread rule: plain values; a shared_ptr<const Scene> may be painted on any thread.
#pragma once

#include "widgets/theme/theme.h"

#include <QPointF>
#include <QPolygonF>
#include <QRectF>
#include <QSizeF>
#include <QString>

#include <cstdint>
#include <optional>
#include <vector>

namespace marquetry::widgets {

inline constexpr std::uint32_t kNoKey = 0xFFFFFFFFu;

inline constexpr double kCaptionHeight = 18; ///< scene units at the top of a frame

enum class Dash : std::uint8_t { Solid, Dotted, Dashed };

struct SceneBox {
    QRectF rect{};
    double radius = 5;
    Role fill = Role::Paper;
    Role line = Role::Line;
    double lineWidth = 1;
    Dash dash = Dash::Solid;
    Role ink = Role::Ink;
    QString text{}; ///< in the middle
    bool bold = false;
    QString caption{};        ///< small, in the top left corner
    double captionRoom = 1e9; ///< what the caption may take of the width
    /// Of a frame: to be read at every scale, wherever its part is seen. Where it has not enough
    /// room, what follows " · " is left out first.
    QString title{};
    bool badge = false; ///< ⌾ at the top right corner
    std::uint32_t key = kNoKey;
};

struct SceneEdge {
    QPolygonF points{}; ///< 1 + 3k points: cubic Bézier pieces; 2 points: a straight line
    Role line = Role::Line;
    double width = 1;
    bool arrow = true;
    double fromScale = 0; ///< left out of pictures that are smaller
};

struct Scene {
    std::vector<SceneBox> frames;
    std::vector<SceneEdge> edges; ///< the last ones are drawn on top
    std::vector<SceneBox> boxes;
    double fontSize = 10; ///< of box texts, pixels at scale 1
    QString message;      ///< shown in the middle when there is nothing else

    bool empty() const { return frames.empty() && boxes.empty(); }
    QRectF bounds() const;
    /// The topmost box or frame with a key at a place.
    std::optional<std::uint32_t> keyAt(QPointF place) const;
    const SceneBox* boxOf(std::uint32_t key) const;
};

/// What part of the scene is seen: `centre` (scene units) lies in the middle of `size` (pixels).
struct Viewport {
    QPointF centre;
    double scale = 1;
    QSizeF size;

    QPointF toScreen(QPointF scene) const;
    QPointF toScene(QPointF screen) const;
    QRectF visible() const; ///< scene units

    /// The same with something of the scene in sight: moved by the least that shows a part of the
    /// nearest box. Complexity: O(boxes).
    Viewport withSomethingInSight(const Scene& scene) const;

    static Viewport fitting(const QRectF& bounds, QSizeF size, double maxScale = 1.6);
};

} // namespace marquetry::widgets
