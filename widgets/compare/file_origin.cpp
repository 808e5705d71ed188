#include "widgets/compare/file_origin.h"

#include <QDir>
#include <QFileInfo>
#include <QObject>

namespace marquetry::widgets {

FileOrigin FileOrigin::of(const QString& path) {
    return {path, QFileInfo(path).lastModified(), {}};
}

QString FileOrigin::title() const {
    const QFileInfo file(path);
    const bool ofExport = file.fileName() == QLatin1String("DESIGN.json");
    return ofExport ? file.dir().dirName() + u'/' + file.fileName() : file.fileName();
}

QString FileOrigin::change() const {
    if (!isFile())
        return {};
    const QFileInfo now(path);
    if (!now.exists())
        return QObject::tr("%1 is gone; B is as it was read.").arg(title());
    return now.lastModified() == modified
               ? QString()
               : QObject::tr("%1 has changed since; B is as it was read.").arg(title());
}

} // namespace marquetry::widgets
