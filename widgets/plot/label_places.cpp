#include "widgets/plot/label_places.h"

#include <algorithm>
#include <array>

namespace marquetry::widgets {

namespace {

/// A front falls to the right: above it, and to the right, there is most room.
std::array<QRectF, 8> placesAround(const LabelWish& wish) {
    const double w = wish.size.width();
    const double h = wish.size.height();
    const double d = wish.apart;
    const auto at = [&](double x, double y) { return QRectF(wish.at + QPointF(x, y), wish.size); };
    return {at(d, -d - h), at(d, -h / 2),      at(-w / 2, -d - h), at(-d - w, d),
            at(d, d),      at(-d - w, -h / 2), at(-w / 2, d),      at(-d - w, -d - h)};
}

} // namespace

std::vector<std::optional<QRectF>> placeLabels(const std::vector<LabelWish>& wishes,
                                               const std::vector<QRectF>& obstacles,
                                               const QRectF& within) {
    std::vector<QRectF> taken = obstacles;
    std::vector<std::optional<QRectF>> places;
    places.reserve(wishes.size());
    for (const LabelWish& wish : wishes) {
        const auto around = placesAround(wish);
        const auto free = std::ranges::find_if(around, [&](const QRectF& place) {
            return within.contains(place) && std::ranges::none_of(taken, [&](const QRectF& other) {
                       return other.intersects(place);
                   });
        });
        if (free == around.end()) {
            places.emplace_back();
            continue;
        }
        taken.push_back(*free);
        places.emplace_back(*free);
    }
    return places;
}

} // namespace marquetry::widgets
