#include "widgets/canvas/picture.h"

#include <QBuffer>
#include <QClipboard>
#include <QGuiApplication>
#include <QPainter>
#include <QSaveFile>
#include <QSvgGenerator>

namespace marquetry::widgets {

namespace {

Diagnostic cannotWrite(const QString& path, const QString& reason) {
    return makeError("picture-write", ("cannot write \"" + path + "\": " + reason).toStdString(),
                     "choose a folder that exists and may be written");
}

Status saveBytes(const QByteArray& bytes, const QString& path) {
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit())
        return cannotWrite(path, file.errorString());
    return ok();
}

} // namespace

QImage renderImage(const Picture& picture, double scale) {
    QImage image((picture.size * scale).toSize().expandedTo(QSize(1, 1)),
                 QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    painter.scale(scale, scale);
    picture.paint(painter);
    return image;
}

Status savePng(const Picture& picture, const QString& path, double scale) {
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || !renderImage(picture, scale).save(&file, "PNG") ||
        !file.commit())
        return cannotWrite(path, file.errorString());
    return ok();
}

Status saveSvg(const Picture& picture, const QString& path) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(picture.size.toSize());
    generator.setViewBox(QRectF(QPointF(0, 0), picture.size));
    generator.setTitle(picture.title);
    {
        QPainter painter(&generator);
        picture.paint(painter);
    }
    return saveBytes(bytes, path);
}

Status saveText(const QString& text, const QString& path) {
    return saveBytes(text.toUtf8(), path);
}

void copyImage(const Picture& picture, double scale) {
    QGuiApplication::clipboard()->setImage(renderImage(picture, scale));
}

} // namespace marquetry::widgets
