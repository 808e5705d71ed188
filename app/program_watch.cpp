#include "app/program_watch.h"

#include <QDir>
#include <QFileInfo>

namespace marquetry::app {

namespace {

/// In which whoever writes a file has written all of it.
constexpr int kMomentMs = 200;

} // namespace

ProgramWatch::ProgramWatch(QObject* parent) : QObject(parent) {
    moment_.setSingleShot(true);
    moment_.setInterval(kMomentMs);
    connect(&watcher_, &QFileSystemWatcher::fileChanged, this, [this] { moment_.start(); });
    connect(&watcher_, &QFileSystemWatcher::directoryChanged, this, &ProgramWatch::look);
    connect(&moment_, &QTimer::timeout, this, &ProgramWatch::say);
}

void ProgramWatch::follow(const QString& file) {
    if (file == file_)
        return;
    file_ = file;
    moment_.stop();
    const QStringList before = watcher_.files() + watcher_.directories();
    if (!before.isEmpty())
        watcher_.removePaths(before);
    const QFileInfo info(file_);
    if (info.dir().exists() && !file_.isEmpty())
        watcher_.addPath(info.absolutePath()); // of a file that is put in its place, too
    if (info.exists())
        watcher_.addPath(file_);
}

/// A file that was away, and is watched no more, is back.
void ProgramWatch::look() {
    if (!watcher_.files().contains(file_) && QFileInfo::exists(file_))
        moment_.start();
}

void ProgramWatch::say() {
    if (!QFileInfo::exists(file_))
        return;
    if (!watcher_.files().contains(file_))
        watcher_.addPath(file_);
    Q_EMIT changed(file_);
}

} // namespace marquetry::app
