#include "widgets/canvas/scene.h"

#include <algorithm>
#include <limits>

namespace marquetry::widgets {

namespace {

constexpr double kMargin = 24;  ///< pixels around a fitted scene
constexpr double kInSight = 32; ///< pixels of a box that count as seeing it

/// How far `low`–`high` must move to have `part` of its length between 0 and `room`.
double wayIn(double low, double high, double room, double part) {
    const double least = std::min({part, high - low, room});
    if (high < least)
        return least - high;
    return low > room - least ? room - least - low : 0;
}

} // namespace

QRectF Scene::bounds() const {
    QRectF all;
    for (const auto* list : {&frames, &boxes})
        for (const SceneBox& box : *list)
            all |= box.rect;
    for (const SceneEdge& edge : edges)
        all |= edge.points.boundingRect();
    return all;
}

std::optional<std::uint32_t> Scene::keyAt(QPointF place) const {
    for (const auto* list : {&boxes, &frames})
        for (auto box = list->rbegin(); box != list->rend(); ++box)
            if (box->key != kNoKey && box->rect.contains(place))
                return box->key;
    return std::nullopt;
}

const SceneBox* Scene::boxOf(std::uint32_t key) const {
    for (const auto* list : {&boxes, &frames}) {
        const auto found = std::ranges::find(*list, key, &SceneBox::key);
        if (found != list->end())
            return &*found;
    }
    return nullptr;
}

QPointF Viewport::toScreen(QPointF scene) const {
    return (scene - centre) * scale + QPointF(size.width() / 2, size.height() / 2);
}

QPointF Viewport::toScene(QPointF screen) const {
    return (screen - QPointF(size.width() / 2, size.height() / 2)) / scale + centre;
}

QRectF Viewport::visible() const {
    const QSizeF extent = size / scale;
    return {centre - QPointF(extent.width() / 2, extent.height() / 2), extent};
}

Viewport Viewport::withSomethingInSight(const Scene& scene) const {
    const std::vector<SceneBox>& boxes = scene.boxes.empty() ? scene.frames : scene.boxes;
    QPointF best;
    double shortest = std::numeric_limits<double>::infinity();
    for (const SceneBox& box : boxes) {
        const QPointF low = toScreen(box.rect.topLeft());
        const QPointF high = toScreen(box.rect.bottomRight());
        const QPointF way(wayIn(low.x(), high.x(), size.width(), kInSight),
                          wayIn(low.y(), high.y(), size.height(), kInSight));
        if (way.isNull())
            return *this;
        if (way.manhattanLength() < shortest) {
            shortest = way.manhattanLength();
            best = way;
        }
    }
    Viewport moved = *this;
    moved.centre -= best / scale;
    return moved;
}

Viewport Viewport::fitting(const QRectF& bounds, QSizeF size, double maxScale) {
    Viewport view;
    view.size = size;
    view.centre = bounds.center();
    const QSizeF room(std::max(1.0, size.width() - 2 * kMargin),
                      std::max(1.0, size.height() - 2 * kMargin));
    if (!bounds.isEmpty())
        view.scale =
            std::min({room.width() / bounds.width(), room.height() / bounds.height(), maxScale});
    return view;
}

} // namespace marquetry::widgets
