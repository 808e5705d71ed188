// Where labels of points stand so that none hides another, a point, or leaves the plot.
//
// The first labels choose first, each among eight places around its point, the nearest ones that
// are free; one without a free place is left out. Complexity: O(labels · (labels + obstacles)).
// Thread rule: pure.
#pragma once

#include <QPointF>
#include <QRectF>
#include <QSizeF>

#include <optional>
#include <vector>

namespace marquetry::widgets {

struct LabelWish {
    QPointF at; ///< the point, pixels
    QSizeF size;
    double apart = 8; ///< of its edge from the point
};

/// By wish; nothing: left out.
std::vector<std::optional<QRectF>> placeLabels(const std::vector<LabelWish>& wishes,
                                               const std::vector<QRectF>& obstacles,
                                               const QRectF& within);

} // namespace marquetry::widgets
