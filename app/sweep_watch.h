// SweepWatch: the results of a sweep's folder, as they come.
//
// The folder is read on a thread of its own, again whenever its table is replaced; of two changes
// during one reading the second is not lost. Results without a design are left out. Thread rule:
// window's thread.
#pragma once

#include "engine/support/diagnostic.h"
#include "widgets/pareto/pareto_data.h"

#include <QFileSystemWatcher>
#include <QObject>
#include <QString>
#include <QThreadPool>

#include <functional>
#include <vector>

namespace marquetry::app {

class SweepWatch : public QObject {
    Q_OBJECT
public:
    explicit SweepWatch(QObject* parent = nullptr);

    /// Another folder; empty: none, which is told as no points under no name.
    void watch(const QString& folder);

Q_SIGNALS:
    /// `name`: of the program of the sweep.
    void changed(const QString& name, const std::vector<marquetry::widgets::SweepPoint>& points);
    /// The folder is not watched any more.
    void failed(const marquetry::Diagnostics& errors);

private:
    void read();
    void finish(const QString& folder, const std::function<void()>& tell);

    QString folder_;
    bool reading_ = false;
    bool again_ = false;
    QFileSystemWatcher watcher_;
    QThreadPool thread_; ///< the last member: its end waits for the reading
};

} // namespace marquetry::app
