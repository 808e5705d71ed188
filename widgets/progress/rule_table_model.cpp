#include "widgets/progress/rule_table_model.h"

#include "widgets/text/number_text.h"

#include <algorithm>

namespace marquetry::widgets {

namespace {

std::vector<RuleTableModel::Row> summed(const session::Snapshot& snapshot) {
    std::vector<RuleTableModel::Row> rows(snapshot.ruleNames.size());
    for (std::size_t k = 0; k < rows.size(); ++k) {
        rows[k].rule = QString::fromStdString(snapshot.ruleNames[k]);
        if (k < snapshot.ruleGroups.size())
            rows[k].group = QString::fromStdString(snapshot.ruleGroups[k]);
    }
    for (const egraph::Iteration& iteration : snapshot.iterations)
        for (std::size_t k = 0; k < std::min(rows.size(), iteration.rules.size()); ++k) {
            const egraph::RuleStats& stats = iteration.rules[k];
            rows[k].matches += stats.matches;
            rows[k].applied += stats.applied;
            rows[k].seconds += stats.seconds;
            rows[k].lastMatches = stats.matches;
            rows[k].lastApplied = stats.applied;
            rows[k].banned = stats.banned;
        }
    return rows;
}

} // namespace

void RuleTableModel::setSnapshot(const session::Snapshot& snapshot) {
    std::vector<Row> fresh = summed(snapshot);
    const bool sameRules = fresh.size() == rows_.size();
    if (!sameRules) {
        beginResetModel();
        rows_ = std::move(fresh);
        endResetModel();
        return;
    }
    for (std::size_t k = 0; k < fresh.size(); ++k)
        if (!(fresh[k] == rows_[k])) {
            rows_[k] = fresh[k];
            const int row = static_cast<int>(k);
            Q_EMIT dataChanged(index(row, 0), index(row, ColumnCount - 1));
        }
}

int RuleTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int RuleTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant RuleTableModel::data(const QModelIndex& index, int role) const {
    const Row& row = rows_[static_cast<std::size_t>(index.row())];
    const auto counted = [role](std::size_t n) {
        return role == Qt::UserRole ? QVariant(static_cast<qulonglong>(n))
                                    : QVariant(grouped(static_cast<std::int64_t>(n)));
    };
    if (role == Qt::TextAlignmentRole)
        return int(Qt::AlignVCenter | (index.column() < Matches ? Qt::AlignLeft : Qt::AlignRight));
    if (role == Qt::ToolTipRole && row.banned)
        return tr("The scheduler lets this rule rest for a few iterations");
    if (role != Qt::DisplayRole && role != Qt::UserRole)
        return {};
    switch (index.column()) {
    case Rule:
        return row.banned && role == Qt::DisplayRole ? row.rule + tr(" (resting)") : row.rule;
    case Group:
        return row.group;
    case Matches:
        return counted(row.matches);
    case Applied:
        return counted(row.applied);
    case LastApplied:
        return counted(row.lastApplied);
    case Seconds:
        return role == Qt::UserRole ? QVariant(row.seconds)
                                    : QVariant(QString::number(row.seconds, 'f', 3));
    default:
        return {};
    }
}

QVariant RuleTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (role == Qt::TextAlignmentRole && orientation == Qt::Horizontal)
        return int(Qt::AlignVCenter | (section < Matches ? Qt::AlignLeft : Qt::AlignRight));
    if (orientation != Qt::Horizontal || (role != Qt::DisplayRole && role != Qt::ToolTipRole))
        return {};
    const bool tip = role == Qt::ToolTipRole;
    switch (section) {
    case Rule:
        return tip ? tr("Rewrite rule, named as in its paper") : tr("Rule");
    case Group:
        return tip ? tr("The group --without switches off") : tr("Group");
    case Matches:
        return tip ? tr("Matches found, all iterations") : tr("Matches");
    case Applied:
        return tip ? tr("Matches that made an e-node or a union") : tr("Applied");
    case LastApplied:
        return tip ? tr("Applied in the last iteration") : tr("Last");
    case Seconds:
        return tip ? tr("Search and application, all iterations") : tr("Seconds");
    default:
        return {};
    }
}

} // namespace marquetry::widgets
