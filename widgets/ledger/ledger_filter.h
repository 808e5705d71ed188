// LedgerFilter: rows whose layer, unit, bound or reason hold a text, and that are bound by what is
// wanted; the sum is always the last row.
//
// Sorting goes by LedgerModel::SortRole, ties by the order of the model. Thread rule: window's
// thread.
#pragma once

#include "engine/design/ledger.h"

#include <QSortFilterProxyModel>

#include <optional>

namespace marquetry::widgets {

class LedgerFilter : public QSortFilterProxyModel {
    Q_OBJECT
public:
    explicit LedgerFilter(QObject* parent = nullptr);
    void setText(const QString& text);
    /// None: any.
    void setBound(std::optional<design::ClockPart> bound);
    /// Rows that are let through, without the sum.
    int shownRows() const;

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

private:
    QString text_;
    std::optional<design::ClockPart> bound_;
};

} // namespace marquetry::widgets
