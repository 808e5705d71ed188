// ParetoListModel: designs of the plot as a table, a row each, in the order of the snapshot.
//
// Sort through a proxy: Qt::UserRole is the number behind a cell. kIndexRole is the place of the
// row's design in the snapshot's list of points.
// Complexity: O(rows) per change. Thread rule: window's thread.
#pragma once

#include "engine/session/snapshot.h"

#include <QAbstractTableModel>

#include <vector>

namespace marquetry::widgets {

class ParetoListModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Cycles, Dsp, Bram, Lut, Ff, Standing, Design, ColumnCount };
    static constexpr int kIndexRole = Qt::UserRole + 1;

    using QAbstractTableModel::QAbstractTableModel;

    /// `rows`: which of the points, by index.
    void setPoints(const session::SharedList<design::DesignPoint>& points,
                   std::vector<std::size_t> rows);
    /// -1: it is not among the rows.
    int rowOf(std::size_t point) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    session::SharedList<design::DesignPoint> points_;
    std::vector<std::size_t> rows_;
};

} // namespace marquetry::widgets
