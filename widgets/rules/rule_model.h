// RuleModel: what the rewrite rules did — a tree of rule groups, their rules, and each rule's
// iterations.
//
// Groups and rules carry the check box that switches them (ticking emits groupSwitched; the row
// follows when the session has answered). A group that is off has no rules, a rule that is off no
// iterations. Sums of a group are those of its rules.
// "Made" counts the e-nodes whose origin is the rule, also those that became equal to others later.
// Rows: groups in the session's order, rules in theirs (RuleId), iterations oldest first. Sort
// through a proxy: Qt::UserRole is the number behind a cell.
// Complexity: O(rules · iterations + new e-nodes) per update. Thread rule: window's thread.
#pragma once

#include "engine/session/snapshot.h"

#include <QAbstractItemModel>

#include <map>
#include <vector>

namespace marquetry::widgets {

class RuleModel : public QAbstractItemModel {
    Q_OBJECT
public:
    enum Column { Name, Matches, Applied, Made, Seconds, State, ColumnCount };

    using QAbstractItemModel::QAbstractItemModel;

    void setSnapshot(const session::Snapshot& snapshot);
    /// Invalid when there is no such rule.
    QModelIndex indexOf(const std::string& rule) const;
    /// Empty for a group; for an iteration the rule it belongs to.
    std::string ruleAt(const QModelIndex& index) const;
    /// Empty but for groups.
    std::string groupAt(const QModelIndex& index) const;

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& child) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

Q_SIGNALS:
    /// A group, or a rule.
    void groupSwitched(const QString& name, bool on);

private:
    /// The numbers of one row, whatever its level.
    struct Figures {
        std::size_t matches = 0;
        std::size_t applied = 0;
        std::size_t made = 0;
        double seconds = 0;
        int rests = 0; ///< iterations in which the scheduler left it out
        bool resting = false;
    };
    struct Rule {
        std::string name;
        int group = 0;
        int place = 0; ///< within the group
        int shown = 0; ///< iterations below it
        bool on = true;
    };
    struct Group {
        std::string name;
        bool on = true;
        std::vector<int> rules;
    };
    enum class Level { Group, Rule, Iteration };

    void build(const session::Snapshot& snapshot);
    void update(const session::Snapshot& snapshot);
    void countMade(const session::Snapshot& snapshot);
    static Level levelOf(const QModelIndex& index);
    int ruleOf(const QModelIndex& index) const;
    Figures figures(const QModelIndex& index) const;
    Figures ruleFigures(int rule) const;
    QString name(const QModelIndex& index) const;
    QString state(const QModelIndex& index) const;
    QString tip(const QModelIndex& index) const;
    bool isOn(const QModelIndex& index) const;
    QVariant number(const QModelIndex& index) const;

    std::vector<Group> groups_;
    std::vector<Rule> rules_;
    std::vector<std::string> ruleNames_;
    std::vector<std::string> without_;
    std::map<std::string, std::string> equations_; ///< by rule
    std::vector<egraph::Iteration> iterations_;
    std::vector<std::size_t> made_;
    std::size_t countedEnodes_ = 0;
    bool searching_ = false;
};

} // namespace marquetry::widgets
