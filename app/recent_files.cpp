#include "app/recent_files.h"

#include <QAction>
#include <QFileInfo>
#include <QMenu>
#include <QSettings>

namespace marquetry::app {

namespace {

const QString kKey = QStringLiteral("recentFiles");

} // namespace

RecentFiles::RecentFiles(QSettings& settings, QObject* parent)
    : QObject(parent), settings_(settings) {}

void RecentFiles::add(const QString& path) {
    QStringList list = settings_.value(kKey).toStringList();
    const QString absolute = QFileInfo(path).absoluteFilePath();
    list.removeAll(absolute);
    list.prepend(absolute);
    settings_.setValue(kKey, list.mid(0, kMax));
    fill();
    Q_EMIT changed();
}

QStringList RecentFiles::files() const {
    QStringList existing;
    for (const QString& path : settings_.value(kKey).toStringList())
        if (QFileInfo::exists(path))
            existing << path;
    return existing;
}

void RecentFiles::attach(QMenu* menu) {
    menu_ = menu;
    connect(menu, &QMenu::aboutToShow, this, &RecentFiles::fill);
    fill();
}

void RecentFiles::fill() {
    if (!menu_)
        return;
    menu_->clear();
    int number = 0;
    for (const QString& path : files()) {
        const QString name = QFileInfo(path).fileName();
        QAction* action = menu_->addAction(
            ++number < 10 ? QStringLiteral("&%1  %2").arg(number).arg(name) : name);
        action->setStatusTip(tr("Open %1").arg(path));
        action->setToolTip(path);
        connect(action, &QAction::triggered, this, [this, path] { Q_EMIT openRequested(path); });
    }
    menu_->setEnabled(number > 0);
}

} // namespace marquetry::app
