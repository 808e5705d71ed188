// Pictures of what a view shows: PNG, SVG, the clipboard; and text files beside them.
//
// The caller gives a function that paints into `size` pixels; the same one paints the screen.
// Errors: picture-write (the file cannot be written).
// Thread rule: window's thread (the clipboard), else pure.
#pragma once

#include "engine/support/result.h"

#include <QImage>
#include <QSizeF>
#include <QString>

#include <functional>

class QPainter;

namespace marquetry::widgets {

using PaintFunction = std::function<void(QPainter&)>;

struct Picture {
    QSizeF size; ///< pixels at scale 1
    QString title;
    PaintFunction paint;
};

QImage renderImage(const Picture& picture, double scale);
Status savePng(const Picture& picture, const QString& path, double scale);
Status saveSvg(const Picture& picture, const QString& path);
Status saveText(const QString& text, const QString& path);
void copyImage(const Picture& picture, double scale);

} // namespace marquetry::widgets
