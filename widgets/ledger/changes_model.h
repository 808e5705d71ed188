// ChangesModel: changes of the settings that may be worth a try, the most gain first, with what is
// now and what would be then. Complexity: O(changes). Thread rule: window's thread.
#pragma once

#include "engine/session/next_change.h"

#include <QAbstractTableModel>

#include <memory>

namespace marquetry::widgets {

class ChangesModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Change, Gain, Cycles, Dsp, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    /// Null: none.
    void setChanges(const std::shared_ptr<const session::NextChanges>& changes);
    /// The one of a row that is there.
    const session::NextChange& change(int row) const;
    /// Of the change with these words; -1: it is not there.
    int rowOf(const std::string& text) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::shared_ptr<const session::NextChanges> changes_;
};

} // namespace marquetry::widgets
