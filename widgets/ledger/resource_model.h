// ResourceModel: what a design uses of each resource, of the limit in force and of the device, and
// what uses it. Rows: DSP, block RAM, LUT, FF. Complexity: O(users). Thread rule: window's thread.
#pragma once

#include "engine/design/ledger.h"

#include <QAbstractTableModel>

#include <memory>
#include <vector>

namespace marquetry::widgets {

class ResourceModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Resource, Used, Limit, Share, Device, Users, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void setLedger(const std::shared_ptr<const design::Ledger>& ledger);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<design::LedgerResource> rows_;
};

} // namespace marquetry::widgets
