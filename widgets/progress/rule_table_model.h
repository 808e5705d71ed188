// RuleTableModel: per rule, what saturation has done so far — matches, applications, seconds.
//
// Rows are rules in the session's order (RuleId), summed over all iterations; `last` columns hold
// the newest iteration. Sort through a proxy: Qt::UserRole is the number behind a cell.
// Complexity: O(iterations · rules) per update, O(new iterations · rules) when iterations were only
// added. Thread rule: window's thread.
#pragma once

#include "engine/session/snapshot.h"

#include <QAbstractTableModel>

#include <vector>

namespace marquetry::widgets {

class RuleTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Rule, Group, Matches, Applied, LastApplied, Seconds, ColumnCount };

    struct Row {
        QString rule;
        QString group;
        std::size_t matches = 0;
        std::size_t applied = 0;
        std::size_t lastMatches = 0;
        std::size_t lastApplied = 0;
        double seconds = 0;
        bool banned = false;
        bool operator==(const Row&) const = default;
    };

    using QAbstractTableModel::QAbstractTableModel;

    void setSnapshot(const session::Snapshot& snapshot);
    const std::vector<Row>& rows() const { return rows_; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<Row> rows_;
};

} // namespace marquetry::widgets
