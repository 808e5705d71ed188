// LedgerModel: the rows of a ledger, of layers or of steps, and their sum in the last row.
//
// The columns are those of engine/design/ledger_table.h with their definitions as tool tips. Clocks
// are shown whole; what a row has none of is "–". Roles: SortRole gives a number or lower-case text
// per column, PlainRole what files hold, TotalRole whether it is the sum.
// A new ledger updates, inserts and removes rows and never resets the model. Complexity: O(rows).
// Thread rule: window's thread.
#pragma once

#include "engine/design/ledger.h"

#include <QAbstractTableModel>

#include <memory>
#include <vector>

namespace marquetry::widgets {

class LedgerModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Role { SortRole = Qt::UserRole, PlainRole, TotalRole };

    using QAbstractTableModel::QAbstractTableModel;

    /// Null, or one without rows: nothing to show.
    void setLedger(const std::shared_ptr<const design::Ledger>& ledger, design::LedgerRows which);
    const design::LedgerRow& row(int row) const { return rows_[static_cast<std::size_t>(row)]; }
    bool isTotal(int at) const { return row(at).kind == design::StepKind::Sum; }
    /// The first of the layer; −1: none.
    int rowOf(const std::string& layer) const;
    /// Whether some row has something in the column.
    bool isUsed(int column) const;
    /// In files: the titles of all columns.
    static QStringList titles();

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString toolTip(const design::LedgerRow& row, int column) const;

    std::shared_ptr<const design::Ledger> ledger_;
    std::vector<design::LedgerRow> rows_;
};

} // namespace marquetry::widgets
