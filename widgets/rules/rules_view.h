// RulesView: the rewrite rules by group — hits, applications, e-nodes made, time, per rule and per
// iteration — with a switch per group.
//
// Selecting a rule selects the e-nodes that it made in all views; selecting an e-node elsewhere
// shows the rule that made it. Space or a click switches a group. Exports: CSV, Markdown.
// Thread rule: window's thread.
#pragma once

#include "widgets/models/selection_model.h"
#include "widgets/rules/rule_model.h"

#include <QWidget>

#include <memory>

class QLineEdit;
class QMenu;
class QSortFilterProxyModel;
class QTreeView;

namespace marquetry::widgets {

class ElidedLabel;

class RulesView : public QWidget {
    Q_OBJECT
public:
    explicit RulesView(SelectionModel* selection, QWidget* parent = nullptr);

    void setSnapshot(const std::shared_ptr<const session::Snapshot>& snapshot);
    RuleModel* model() const { return model_; }
    QTreeView* tree() const { return tree_; }
    QMenu* createMenu(const QModelIndex& place);
    QString summary() const;

    QString toText() const;
    QString toCsv() const;
    QString toMarkdown() const;
    /// CSV when the name ends so, else Markdown.
    Status exportTo(const QString& path, double scale = 1) const;

Q_SIGNALS:
    void groupSwitched(const QString& group, bool on);
    void focusRequested(const marquetry::widgets::Subject& subject);
    void message(const QString& text);

private:
    void createTree();
    void createLayout();
    QMenu* createExportMenu();
    void expandGroups();
    void onCurrent(const QModelIndex& current);
    void onSelection();
    std::vector<QStringList> rows() const;

    SelectionModel* selection_;
    std::shared_ptr<const session::Snapshot> snapshot_;
    RuleModel* model_ = nullptr;
    QSortFilterProxyModel* sorted_ = nullptr;
    QTreeView* tree_ = nullptr;
    QLineEdit* filter_ = nullptr;
    ElidedLabel* summary_ = nullptr;
    bool following_ = false; ///< the tree is being moved to the selection
};

} // namespace marquetry::widgets
