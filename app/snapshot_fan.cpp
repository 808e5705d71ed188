#include "app/snapshot_fan.h"

#include <QEvent>

#include <utility>

namespace marquetry::app {

void SnapshotFan::add(QWidget* view, Show show) {
    view->installEventFilter(this);
    entries_.push_back({view, std::move(show), nullptr});
}

void SnapshotFan::publish(const SnapshotPtr& snapshot) {
    latest_ = snapshot;
    for (Entry& entry : entries_)
        if (entry.view && entry.view->isVisible())
            update(entry);
}

void SnapshotFan::update(Entry& entry) const {
    if (!latest_ || entry.shown == latest_)
        return;
    entry.shown = latest_;
    entry.show(latest_);
}

bool SnapshotFan::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Show)
        for (Entry& entry : entries_)
            if (entry.view == watched)
                update(entry);
    return QObject::eventFilter(watched, event);
}

} // namespace marquetry::app
