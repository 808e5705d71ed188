// RulesView: the rewrite rules by group — hits, applications, e-nodes made, time, per rule and per
// iteration — with a switch per group and per rule.
//
// Selecting a rule selects the e-nodes that it made in all views; selecting an e-node elsewhere
// shows the rule that made it. Space or a click switches a group or a rule. Enter, a double click
// or a command named as the rule asks for its card. Exports: CSV, Markdown.
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
    /// A group, or a rule.
    void groupSwitched(const QString& name, bool on);
    /// What the rule says, and what it did, is to be shown.
    void cardRequested(const QString& rule);
    /// The best design without the rule is wanted.
    void withoutRuleRequested(const QString& rule);
    void focusRequested(const marquetry::widgets::Subject& subject);
    void message(const QString& text);

private:
    void createTree();
    void createLayout();
    QMenu* createExportMenu();
    void expandGroups();
    void addRuleEntries(QMenu* menu, const QModelIndex& rule);
    void nameCommands();
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
    std::vector<QAction*> cards_; ///< a command for each rule
    bool following_ = false;      ///< the tree is being moved to the selection
};

} // namespace marquetry::widgets
