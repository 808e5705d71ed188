// RecentFiles: the programs, designs and sessions opened last, newest first, kept in the settings.
//
// Paths are absolute and unique; at most kMax. Files that no longer exist stay out of the menu.
// Thread rule: window's thread.
#pragma once

#include <QObject>
#include <QStringList>

class QMenu;
class QSettings;

namespace marquetry::app {

class RecentFiles : public QObject {
    Q_OBJECT
public:
    static constexpr int kMax = 10;

    explicit RecentFiles(QSettings& settings, QObject* parent = nullptr);

    void add(const QString& path);
    QStringList files() const;
    /// Fills the menu now and keeps it current.
    void attach(QMenu* menu);

Q_SIGNALS:
    void openRequested(QString path);
    void changed();

private:
    void fill();

    QSettings& settings_;
    QMenu* menu_ = nullptr;
};

} // namespace marquetry::app
