// Painting scenes: one pure function for the screen, PNG and SVG.
//
// Detail follows the scale: below kDashScale plain outlines, below kArrowScale edges without heads,
// below kSmoothScale ordinary edges are faint, and nothing is smoothed. Texts shrink with the scene
// down to kSmallestText; where they would be smaller they keep that size, are cut with "…" to the
// width of their box, and left out where a few letters have no room.
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

inline constexpr double kSmallestText = 9; ///< pixels, of any letter of a scene

struct PaintParams {
    std::size_t edgeBudget = 3000;
    bool background = true;
    bool texts = true;
};

struct PaintStats {
    std::size_t boxes = 0;
    std::size_t edges = 0;
    std::size_t edgesLeftOut = 0; ///< of those in sight
};

PaintStats paint(QPainter& painter, const Scene& scene, const Viewport& viewport,
                 const Theme& theme, const PaintParams& params = {});
void paintHighlights(QPainter& painter, const Scene& scene, const Viewport& viewport,
                     const Theme& theme, const Highlights& highlights);
/// The titles of frames, each in the part of its frame that is seen; over the scene.
void paintTitles(QPainter& painter, const Scene& scene, const Viewport& viewport,
                 const Theme& theme);
/// The whole scene in `place` (pixels), with a frame; without any text.
void paintMinimap(QPainter& painter, const Scene& scene, const QRectF& place, const Theme& theme);

} // namespace marquetry::widgets
