#include "widgets/canvas/scene.h"

#include <algorithm>

namespace marquetry::widgets {

namespace {

constexpr double kCaptionRoom = 14;
constexpr double kMargin = 24; ///< pixels around a fitted scene

} // namespace

QRectF Scene::bounds() const {
    QRectF all;
    for (const auto* list : {&frames, &boxes})
        for (const SceneBox& box : *list)
            all |= box.caption.isEmpty() ? box.rect : box.rect.adjusted(0, -kCaptionRoom, 0, 0);
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
