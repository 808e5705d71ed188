// Painting scenes: one pure function for the screen, PNG and SVG.
//
// Detail follows the scale: below kTextScale no text, below kDashScale plain outlines and no
// antialiasing, below kArrowScale edges without heads, below kSmoothScale ordinary edges are faint.
// At most `edgeBudget` edges are drawn per picture, the last ones of the scene first of all; how
// many were left out is returned, and the caller says so. Complexity: O(boxes + edges seen). Thread
// rule: pure but for the painter; any thread with a QImage.
#pragma once

#include "widgets/canvas/scene.h"

#include <cstddef>
#include <vector>

class QPainter;

namespace marquetry::widgets {

/// What changes without the scene: painted over it.
struct Highlights {
    std::uint32_t hovered = kNoKey;
    std::uint32_t selected = kNoKey;
    std::vector<std::uint32_t> linked; ///< sorted
};

struct PaintParams {
    std::size_t edgeBudget = 3000;
    bool background = true;
};

struct PaintStats {
    std::size_t boxes = 0;
    std::size_t edges = 0;
    std::size_t edgesLeftOut = 0;
};

PaintStats paint(QPainter& painter, const Scene& scene, const Viewport& viewport,
                 const Theme& theme, const PaintParams& params = {});
void paintHighlights(QPainter& painter, const Scene& scene, const Viewport& viewport,
                     const Theme& theme, const Highlights& highlights);
/// The whole scene in `place` (pixels), with a frame and a rectangle for what is seen.
void paintMinimap(QPainter& painter, const Scene& scene, const QRectF& place, const Theme& theme);

} // namespace marquetry::widgets
