// A comparison as one picture: which designs the two are, their figures, and both over time.
//
// Complexity: that of the rows. Thread rule: window's thread.
#pragma once

#include "widgets/canvas/picture.h"
#include "widgets/theme/theme.h"

#include <QStringList>

#include <vector>

namespace marquetry::widgets {

struct PaintedCell {
    QString text;
    bool toTheRight = false;
    Role ink = Role::Ink;
};

struct PaintedComparison {
    QStringList words;                          ///< a line each
    std::vector<std::vector<PaintedCell>> rows; ///< the first one is the header
    Picture overTime;                           ///< below
};

/// As wide as the widest of its parts.
Picture comparisonPicture(const PaintedComparison& shown, const Theme& theme);

} // namespace marquetry::widgets
