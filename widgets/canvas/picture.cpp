#include "widgets/canvas/picture.h"

#include "engine/support/files.h"

#include <QBuffer>
#include <QClipboard>
#include <QFile>
#include <QFileInfo>
#include <QGuiApplication>
#include <QPainter>
#include <QSvgGenerator>

namespace marquetry::widgets {

namespace {

constexpr std::string_view kName = "Marquetry";
constexpr std::string_view kPng = "\x89PNG";
constexpr std::string_view kPdf = "%PDF";

bool isSvg(std::string_view bytes) {
    constexpr std::size_t kStart = 1024;
    return bytes.substr(0, kStart).find("<svg") != std::string_view::npos;
}

/// Texts have no mark of their own: their names tell.
bool isNamedText(const QString& path) {
    const QString suffix = QFileInfo(path).suffix().toLower();
    return suffix == QLatin1String("csv") || suffix == QLatin1String("md") ||
           suffix == QLatin1String("txt");
}

bool sameFormat(std::string_view old, std::string_view fresh, const QString& path) {
    for (const std::string_view magic : {kPng, kPdf})
        if (fresh.starts_with(magic))
            return old.starts_with(magic);
    return isSvg(fresh) ? isSvg(old) : isNamedText(path);
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

Status saveBytes(const QByteArray& bytes, const QString& path) {
    const std::string_view fresh(bytes.constData(), static_cast<std::size_t>(bytes.size()));
    files::Replace replace;
    replace.kind = "a file of this format";
    replace.isOfKind = [&](std::string_view old) { return sameFormat(old, fresh, path); };
    const auto written = files::write(QFile::encodeName(path).toStdString(), fresh, replace);
    return written ? ok() : Status(written.error());
}

bool isOurPicture(std::string_view bytes) {
    constexpr std::size_t kStart = 4096;
    const std::string_view start = bytes.substr(0, kStart);
    if (bytes.starts_with(kPng) || isSvg(bytes))
        return start.find(kName) != std::string_view::npos;
    std::string wide; // PDF has it in UTF-16
    for (const char c : kName)
        wide += std::string(1, '\0') + c;
    return bytes.starts_with(kPdf) && bytes.find(wide) != std::string_view::npos;
}

Status savePng(const Picture& picture, const QString& path, double scale) {
    return savePng(renderImage(picture, scale), path);
}

Status savePng(QImage image, const QString& path) {
    image.setText(QStringLiteral("Software"), QLatin1String(kName.data(), kName.size()));
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "PNG");
    return saveBytes(bytes, path);
}

QByteArray svgBytes(const Picture& picture) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(picture.size.toSize());
    generator.setViewBox(QRectF(QPointF(0, 0), picture.size));
    generator.setTitle(picture.title);
    generator.setDescription(QLatin1String(kName.data(), kName.size()));
    {
        QPainter painter(&generator);
        picture.paint(painter);
    }
    return bytes;
}

Status saveSvg(const Picture& picture, const QString& path) {
    return saveBytes(svgBytes(picture), path);
}

Status saveText(const QString& text, const QString& path) {
    return saveBytes(text.toUtf8(), path);
}

void copyImage(const Picture& picture, double scale) {
    QGuiApplication::clipboard()->setImage(renderImage(picture, scale));
}

} // namespace marquetry::widgets
