// FileOrigin: the file that a design was read from, and whether it still is what was read.
//
// Complexity: one look at the file. Thread rule: window's thread.
#pragma once

#include <QDateTime>
#include <QString>

namespace marquetry::widgets {

struct FileOrigin {
    QString path;       ///< empty: of no file
    QDateTime modified; ///< when it was read
    QString note;       ///< what its reader warned of

    /// As the file is now.
    static FileOrigin of(const QString& path);
    bool isFile() const { return !path.isEmpty(); }
    /// "small.json"; of an export "export/DESIGN.json".
    QString title() const;
    /// What has become of the file since; empty: nothing.
    QString change() const;
};

} // namespace marquetry::widgets
