// SearchPanel: what a search has found, as a list with its counts.
//
// A click, or moving to a row with the arrows, chooses a hit. Rows that are cut carry the whole
// text as their tip. Thread rule: window's thread.
#pragma once

#include "widgets/egraph/search.h"

#include <QWidget>

class QListWidget;

namespace marquetry::widgets {

class ElidedLabel;

class SearchPanel : public QWidget {
    Q_OBJECT
public:
    explicit SearchPanel(QWidget* parent = nullptr);

    /// Stays on the hit it was on, if that is still there; chooses none.
    void setHits(Hits hits);
    const Hits& hits() const { return hits_; }
    QListWidget* list() const { return list_; }
    QString countLine() const;
    /// The key of the hit after the current one, around the end; there must be hits.
    std::uint32_t next();
    std::size_t current() const { return current_; } ///< counting from 0

Q_SIGNALS:
    void chosen(quint32 key);

private:
    void onRow(int row);

    Hits hits_;
    std::size_t current_ = 0;
    bool started_ = false; ///< a hit has been current
    ElidedLabel* count_ = nullptr;
    QListWidget* list_ = nullptr;
};

} // namespace marquetry::widgets
