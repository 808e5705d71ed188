// ProgressView: how saturation goes — phase and outcome, e-nodes and e-classes per iteration, and
// what every rule did.
//
// E-nodes are on the left axis, e-classes on the right one. What is not known yet is said so ("how
// long: unknown"), never guessed. Thread rule: window's thread.
#pragma once

#include "engine/session/snapshot.h"
#include "widgets/plot/plot.h"
#include "widgets/progress/rule_table_model.h"

#include <QWidget>

#include <memory>

class QLabel;
class QSortFilterProxyModel;
class QTreeView;

namespace marquetry::widgets {

/// "saturating", "paused", … in the words of the window.
QString phaseText(session::Phase phase);
/// "saturated", "stopped by the limit on e-nodes", …
QString outcomeText(egraph::Outcome outcome);

class ProgressView : public QWidget {
    Q_OBJECT
public:
    explicit ProgressView(QWidget* parent = nullptr);

    void setSnapshot(const std::shared_ptr<const session::Snapshot>& snapshot);
    RuleTableModel* model() const { return model_; }
    QString summary() const;
    QString toText() const;

protected:
    void changeEvent(QEvent* event) override;

private:
    QWidget* createTable();
    void showChart();
    void applyColours();

    std::shared_ptr<const session::Snapshot> snapshot_;
    RuleTableModel* model_ = nullptr;
    QSortFilterProxyModel* sorted_ = nullptr;
    QTreeView* table_ = nullptr;
    Plot* plot_ = nullptr;
    QLabel* summary_ = nullptr;
    std::size_t shownIterations_ = 0;
};

} // namespace marquetry::widgets
