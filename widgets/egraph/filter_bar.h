// FilterBar: what of the e-graph is shown — by layer, rule and sort, and a slider over the
// iterations that replays its growth.
//
// The slider at its right end follows the search; elsewhere it stays where it is. Thread rule:
// window's thread.
#pragma once

#include "widgets/egraph/shown_part.h"

#include <QWidget>

class QComboBox;
class QSlider;
class QToolButton;

namespace marquetry::widgets {

class ElidedLabel;

class FilterBar : public QWidget {
    Q_OBJECT
public:
    explicit FilterBar(QWidget* parent = nullptr);

    /// `iterations` may be more than the index's snapshot has: the last ones may change nothing.
    void setIndex(const SnapshotIndex& index, std::size_t iterations);
    const EGraphFilter& filter() const { return filter_; }
    QSlider* slider() const { return slider_; }
    QComboBox* rule() const { return rule_; }
    QComboBox* layer() const { return layer_; }
    QComboBox* sort() const { return sort_; }
    void clear();

Q_SIGNALS:
    void changed();

private:
    void read();
    void showIteration();

    EGraphFilter filter_;
    QComboBox* layer_ = nullptr;
    QComboBox* rule_ = nullptr;
    QComboBox* sort_ = nullptr;
    QSlider* slider_ = nullptr;
    ElidedLabel* iteration_ = nullptr;
    QToolButton* clear_ = nullptr;
};

} // namespace marquetry::widgets
