// SnapshotFan: hands every snapshot to the views that can be seen, and to the others when they
// appear.
//
// A hidden view costs nothing while the engine runs; when it is shown it first gets the newest
// snapshot. Views are told in the order they were added. Thread rule: window's thread.
#pragma once

#include "app/session_bridge.h"

#include <QObject>
#include <QPointer>
#include <QWidget>

#include <functional>
#include <vector>

namespace marquetry::app {

class SnapshotFan : public QObject {
    Q_OBJECT
public:
    using Show = std::function<void(const SnapshotPtr&)>;

    using QObject::QObject;

    void add(QWidget* view, Show show);
    void publish(const SnapshotPtr& snapshot);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Entry {
        QPointer<QWidget> view;
        Show show;
        SnapshotPtr shown;
    };

    void update(Entry& entry) const;

    std::vector<Entry> entries_;
    SnapshotPtr latest_;
};

} // namespace marquetry::app
