#include "app/sweep_watch.h"

#include "engine/session/stream_rates.h"
#include "engine/sweep/sweep.h"

namespace marquetry::app {

namespace {

using widgets::SweepPoint;

/// What the settings have that is not usual, as options of the command line.
QString settingsText(const sweep::GridPoint& point) {
    const session::Settings& settings = point.settings;
    const session::Settings usual;
    QStringList words{QString::fromStdString(settings.device)};
    for (const auto& [name, value] : settings.limits)
        words << QStringLiteral("%1=%2").arg(QString::fromStdString(name)).arg(value);
    if (settings.clockMhz)
        words << QStringLiteral("%1 MHz").arg(*settings.clockMhz);
    if (point.throughput)
        words << QObject::tr("%1 elements per clock")
                     .arg(QString::fromStdString(session::toText(*point.throughput)));
    if (settings.bandwidth)
        words << QObject::tr("%1 bytes per cycle").arg(*settings.bandwidth);
    if (settings.objective != usual.objective)
        words << QString::fromLatin1(toString(settings.objective));
    if (settings.cost != usual.cost)
        words << QString::fromStdString(toString(settings.cost));
    for (const std::string& group : settings.without)
        words << QObject::tr("without %1").arg(QString::fromStdString(group));
    if (settings.seed != usual.seed)
        words << QObject::tr("seed %1").arg(settings.seed);
    return words.join(QStringLiteral(", "));
}

std::vector<SweepPoint> pointsOf(const std::string& folder, const sweep::Sweep& sweep) {
    std::vector<SweepPoint> points;
    for (const sweep::Point& point : sweep.points)
        if (const auto outcome = sweep::outcomeOf(folder, point); outcome && outcome->hasDesign())
            points.push_back({settingsText(point), outcome->cyclesPerFrame(), outcome->resources});
    return points;
}

} // namespace

SweepWatch::SweepWatch(QObject* parent) : QObject(parent) {
    thread_.setMaxThreadCount(1);
    connect(&watcher_, &QFileSystemWatcher::directoryChanged, this, &SweepWatch::read);
}

void SweepWatch::watch(const QString& folder) {
    if (!watcher_.directories().isEmpty())
        watcher_.removePaths(watcher_.directories());
    folder_ = folder;
    if (folder_.isEmpty()) {
        Q_EMIT changed({}, {});
        return;
    }
    watcher_.addPath(folder_);
    read();
}

void SweepWatch::read() {
    if (reading_) {
        again_ = true;
        return;
    }
    if (folder_.isEmpty())
        return;
    reading_ = true;
    thread_.start([this, folder = folder_] {
        const std::string path = folder.toStdString();
        std::function<void()> tell;
        if (auto sweep = sweep::readSweep(path))
            tell = [this, name = QString::fromStdString(sweep->item),
                    points = pointsOf(path, *sweep)] { Q_EMIT changed(name, points); };
        else
            tell = [this, errors = sweep.error()] {
                watch({});
                Q_EMIT failed(errors);
            };
        QMetaObject::invokeMethod(
            this, [this, folder, tell = std::move(tell)] { finish(folder, tell); },
            Qt::QueuedConnection);
    });
}

/// What has been read of a folder that is not watched any more is of no interest.
void SweepWatch::finish(const QString& folder, const std::function<void()>& tell) {
    reading_ = false;
    if (folder == folder_)
        tell();
    if (again_ || folder != folder_) {
        again_ = false;
        read();
    }
}

} // namespace marquetry::app
