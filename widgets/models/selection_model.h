// SelectionModel: the one selection that all views share, and what belongs to it in each of them.
//
// Views read subject() and linked(), call select(), and repaint on changed(). That signal is
// emitted when the subject or what is linked to it changes, so a view needs no other. A new
// snapshot keeps the subject: units, calls and buffers are found again by name when the design has
// changed, and what is gone is deselected. back() and forward() walk the history of subjects like a
// browser. Complexity: select O(linked()); setSnapshot O(e-nodes) when e-graph, design or pins are
// new. Thread rule: window's thread.
#pragma once

#include "widgets/models/snapshot_index.h"

#include <QObject>

#include <memory>
#include <vector>

namespace marquetry::widgets {

class SelectionModel : public QObject {
    Q_OBJECT
public:
    explicit SelectionModel(QObject* parent = nullptr);

    void setSnapshot(const std::shared_ptr<const session::Snapshot>& snapshot);
    /// Never null; of an empty snapshot in the beginning.
    const std::shared_ptr<const SnapshotIndex>& index() const { return index_; }

    const Subject& subject() const { return subject_; }
    const Linked& linked() const { return linked_; }
    void select(const Subject& subject);
    void clear() { select(Subject{}); }

    bool canGoBack() const { return at_ > 0; }
    bool canGoForward() const { return at_ + 1 < history_.size(); }
    void back();
    void forward();

Q_SIGNALS:
    void changed();

private:
    void apply(const Subject& subject);
    void forgetEGraph();
    Subject carriedOver(const SnapshotIndex& before, const SnapshotIndex& now) const;

    std::shared_ptr<const SnapshotIndex> index_;
    Subject subject_;
    Linked linked_;
    std::vector<Subject> history_;
    std::size_t at_ = 0;
};

} // namespace marquetry::widgets
