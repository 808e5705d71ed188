#include "widgets/ledger/ledger_filter.h"

#include "engine/design/ledger_table.h"
#include "widgets/ledger/ledger_model.h"

#include <algorithm>

namespace marquetry::widgets {

LedgerFilter::LedgerFilter(QObject* parent) : QSortFilterProxyModel(parent) {
    setSortRole(LedgerModel::SortRole);
    setDynamicSortFilter(true);
}

void LedgerFilter::setText(const QString& text) {
    text_ = text.trimmed();
    invalidateRowsFilter();
}

void LedgerFilter::setBound(std::optional<design::ClockPart> bound) {
    bound_ = bound;
    invalidateRowsFilter();
}

int LedgerFilter::shownRows() const {
    return std::max(0, rowCount() - 1);
}

bool LedgerFilter::filterAcceptsRow(int row, const QModelIndex& parent) const {
    const auto& model = *static_cast<const LedgerModel*>(sourceModel());
    if (model.isTotal(row))
        return true;
    if (bound_ && model.row(row).bound != *bound_)
        return false;
    if (text_.isEmpty())
        return true;
    for (const design::LedgerColumn& column : design::ledgerColumns())
        if (!column.number && model.index(row, static_cast<int>(column.field), parent)
                                  .data()
                                  .toString()
                                  .contains(text_, Qt::CaseInsensitive))
            return true;
    return false;
}

bool LedgerFilter::lessThan(const QModelIndex& left, const QModelIndex& right) const {
    const bool ascending = sortOrder() == Qt::AscendingOrder;
    if (left.data(LedgerModel::TotalRole).toBool())
        return !ascending;
    if (right.data(LedgerModel::TotalRole).toBool())
        return ascending;
    return QSortFilterProxyModel::lessThan(left, right);
}

} // namespace marquetry::widgets
