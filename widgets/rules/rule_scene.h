// The picture of a rewrite rule: what it matches, an arrow, and what it adds as equal; each a tree
// of operators with their arguments below them.
//
// Operators are boxes with their parameters, variables are rounded and pale. The two sides stand
// side by side where `width` (pixels) has room for both, else one above the other. An equation of
// another form than readEquation knows is two boxes with its text. Complexity: linear in the
// equation. Thread rule: pure; measuring needs a QGuiApplication.
#pragma once

#include "widgets/canvas/picture.h"
#include "widgets/canvas/scene.h"

namespace marquetry::widgets {

Scene ruleScene(const QString& equation, double width);

/// The scene in the colours of a theme, at scale 1, or smaller where it is wider than `width`.
Picture rulePicture(const QString& equation, double width, const Theme& theme);

} // namespace marquetry::widgets
