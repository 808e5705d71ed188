// ProgramWatch: says when the file of the program that is open was changed by somebody else.
//
// Editors write in place, or put another file in its place: both are one change, said when the file
// has been there for a moment. Where the system tells nothing about a file (some network folders),
// nothing is said. Thread rule: window's thread.
#pragma once

#include <QFileSystemWatcher>
#include <QObject>
#include <QString>
#include <QTimer>

namespace marquetry::app {

class ProgramWatch : public QObject {
    Q_OBJECT
public:
    explicit ProgramWatch(QObject* parent = nullptr);

    /// Empty: nothing is watched.
    void follow(const QString& file);

Q_SIGNALS:
    void changed(QString file);

private:
    void look();
    void say();

    QFileSystemWatcher watcher_;
    QTimer moment_;
    QString file_;
};

} // namespace marquetry::app
