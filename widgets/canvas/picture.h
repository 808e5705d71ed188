// Pictures of what a view shows: PNG, SVG, the clipboard; and text files beside them.
//
// The caller gives a function that paints into `size` pixels; the same one paints the screen.
// Files are written whole or not at all (engine/support/files.h) and replace files of their own
// format only: whoever confirms a name in a dialog confirms a picture, not a program.
// Errors: those of files::write.
// Thread rule: window's thread (the clipboard), else pure.
#pragma once

#include "engine/support/result.h"

#include <QByteArray>
#include <QImage>
#include <QSizeF>
#include <QString>

#include <functional>
#include <string_view>

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
Status savePng(QImage image, const QString& path);
QByteArray svgBytes(const Picture& picture);
Status saveSvg(const Picture& picture, const QString& path);
Status saveText(const QString& text, const QString& path);
/// The bytes of a picture or text made elsewhere.
Status saveBytes(const QByteArray& bytes, const QString& path);

/// Whether a file holds a picture that this program wrote: it carries its name.
bool isOurPicture(std::string_view bytes);
void copyImage(const Picture& picture, double scale);

} // namespace marquetry::widgets
